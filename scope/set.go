package scope

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// Set is an immutable collection of policies that answers questions about all of them.
// It remembers what the layers that read nothing but the resource said, so that the
// second question about pods looks only at the policies that pods can reach.
type Set struct {
	policies []*Policy

	mu      sync.Mutex
	answers map[resourceKey]*answer
}

// maxAnswers bounds the memory of a Set. A cluster has a few hundred resources; the
// bound only matters for somebody who asks about made-up ones.
const maxAnswers = 1024

// resourceKey is everything that a ResourceLayer may read.
type resourceKey struct {
	resource      schema.GroupVersionResource
	kind          schema.GroupVersionKind
	subresource   string
	operation     admission.Operation
	hasNamespace  bool
	serverVersion string
	resources     any
}

// answer is what the ResourceLayers of every policy say for one key.
type answer struct {
	// steps has, for each policy, the steps of its ResourceLayers in their places.
	steps [][]Step
	// far marks the policies that are excluded by these steps alone.
	far []bool
}

// NewSet makes a set of policies, which must not change afterwards.
func NewSet(policies []*Policy) *Set {
	return &Set{policies: policies, answers: map[resourceKey]*answer{}}
}

// Policies returns the policies in the order of the set; the slice must not be modified.
func (s *Set) Policies() []*Policy { return s.policies }

// Explain asks every policy about one request. The traces come in the order of
// Policies. When the context is cancelled the traces so far are worthless and its error
// is returned.
func (s *Set) Explain(ctx context.Context, r *Request, facts *Facts) ([]*Trace, error) {
	inputs := map[bool]*Input{
		true:  NewInput(r, facts, MutatingPolicies),
		false: NewInput(r, facts, ValidatingPolicies),
	}
	known := s.answer(ctx, inputs[true])
	traces := make([]*Trace, len(s.policies))
	block := make([]Trace, len(s.policies))
	for i, p := range s.policies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &block[i]
		t.Policy, t.input = p, inputs[p.Phase.Mutating()]
		t.steps = append(make([]Step, 0, len(p.Layers)), known.steps[i]...)
		if known.far[i] {
			t.combine()
		} else {
			t.run(ctx)
		}
		traces[i] = t
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return traces, nil
}

// answer returns what the resource layers of all policies say about the request.
func (s *Set) answer(ctx context.Context, in *Input) *answer {
	key := resourceKey{
		resource: in.Request.Resource, kind: in.Request.Kind, subresource: in.Request.Subresource,
		operation: in.Request.Operation, hasNamespace: in.Request.Namespace != "",
		resources: in.Facts.Resources,
	}
	if in.Facts.Version != nil {
		key.serverVersion = in.Facts.Version.String()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.answers[key]; ok {
		return a
	}
	if len(s.answers) >= maxAnswers {
		clear(s.answers)
	}
	a := &answer{steps: make([][]Step, len(s.policies)), far: make([]bool, len(s.policies))}
	for i, p := range s.policies {
		a.steps[i], a.far[i] = resourceSteps(ctx, p, in)
	}
	s.answers[key] = a
	return a
}

// resourceSteps asks the resource layers of one policy and reports whether they exclude
// the request whatever the other layers say.
func resourceSteps(ctx context.Context, p *Policy, in *Input) (steps []Step, far bool) {
	steps = make([]Step, len(p.Layers))
	q := Question{Input: in, Matched: Matched{Resource: in.Request.Resource, Kind: in.Request.Kind}}
	for i, layer := range p.Layers {
		rl, ok := layer.(ResourceLayer)
		if !ok || !rl.ReadsOnlyResource() {
			continue
		}
		steps[i] = layer.Decide(ctx, q)
		far = far || steps[i].Outcome == NoMatch && steps[i].Stage == StageMatch
	}
	return steps, far
}

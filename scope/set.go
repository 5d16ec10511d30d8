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
	answers map[resourceKey]answer
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

// answer is, for one key, a trace of every policy in which only the ResourceLayers have
// been asked. Where they exclude the request whatever the other layers say, the trace
// has its outcome already.
type answer []Trace

// NewSet makes a set of policies, which must not change afterwards.
func NewSet(policies []*Policy) *Set {
	return &Set{policies: policies, answers: map[resourceKey]answer{}}
}

// Policies returns the policies in the order of the set; the slice must not be modified.
func (s *Set) Policies() []*Policy { return s.policies }

// Explain asks every policy about one request whose phase the request reaches. The traces
// come in the order of Policies. When the context is cancelled the traces so far are worthless and its error
// is returned.
func (s *Set) Explain(ctx context.Context, r *Request, facts *Facts) ([]*Trace, error) {
	before, after := NewInput(r, facts, MutatingPolicies), NewInput(r, facts, ValidatingPolicies)
	known := s.answer(ctx, before)
	traces := make([]*Trace, 0, len(s.policies))
	block := make([]Trace, len(s.policies))
	for i, p := range s.policies {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !r.Reaches(p.Phase) {
			continue
		}
		t := &block[i]
		*t = known[i]
		if t.input = before; p.Phase.Mutated() {
			t.input = after
		}
		if t.Outcome == "" {
			t.own()
			t.run(ctx)
		}
		traces = append(traces, t)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return traces, nil
}

// answer returns what the resource layers of all policies say about the request.
func (s *Set) answer(ctx context.Context, in *Input) answer {
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
	a := make(answer, len(s.policies))
	for i, p := range s.policies {
		if in.Request.Reaches(p.Phase) {
			a[i] = askResource(ctx, p, in)
		} else {
			a[i] = Trace{Policy: p, steps: make([]Step, len(p.Layers)), shared: true}
		}
	}
	s.answers[key] = a
	return a
}

// askResource asks the resource layers of one policy.
func askResource(ctx context.Context, p *Policy, in *Input) Trace {
	t := Trace{Policy: p, input: in, steps: make([]Step, len(p.Layers)), shared: true}
	far := false
	q := t.question()
	for i, layer := range p.Layers {
		rl, ok := layer.(ResourceLayer)
		if !ok || !rl.ReadsOnlyResource() {
			continue
		}
		t.steps[i] = layer.Decide(ctx, q)
		q.follow(t.steps[i])
		far = far || t.steps[i].Outcome == NoMatch && t.steps[i].Stage == StageMatch
	}
	if far {
		t.combine()
	}
	t.input = nil
	return t
}

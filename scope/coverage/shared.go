package coverage

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ambit-k8s/ambit/scope"
)

// resourceSteps remembers what the layers of a policy say that read nothing but the
// resource. Policies in which these layers agree have it together. It is safe for
// concurrent use.
type resourceSteps struct {
	layers []scope.Layer

	mu   sync.Mutex
	rows []*resourceStep
	// excluded are those that leave everything out, each kind of them once.
	excluded []*resourceStep
}

// resourceStep is what they say about the objects of one resource.
type resourceStep struct {
	// steps has no outcome for the layers that read more.
	steps []scope.Step
	// applies says that some rule names the resource, excluded that the objects are left out
	// whatever the other layers say.
	applies, excluded bool
	// matched is the version in which later layers see the objects, and sees says that all
	// rules were asked and none chose another one.
	matched scope.Matched
	sees    bool
}

// resourceSteps returns what is remembered for a policy.
func (e *Evaluator) resourceSteps(p *scope.Policy) *resourceSteps {
	key := strings.Builder{}
	key.WriteString(string(p.Phase))
	for _, l := range p.Layers {
		key.WriteByte(0)
		if fixed, ok := l.(scope.ResourceLayer); !ok || !fixed.ReadsOnlyResource() {
			if _, names := l.(scope.Namer); names {
				return &resourceSteps{layers: p.Layers}
			}
			continue
		}
		text := keyOf(l)
		if text == "" {
			return &resourceSteps{layers: p.Layers}
		}
		key.WriteString(text)
	}
	e.shared.Lock()
	defer e.shared.Unlock()
	r := e.resources[key.String()]
	if r == nil {
		r = &resourceSteps{layers: p.Layers}
		e.resources[key.String()] = r
	}
	return r
}

// keyOf names what a layer says, or is empty.
func keyOf(l scope.Layer) string {
	if keyed, ok := l.(scope.Keyed); ok {
		if key := keyed.Key(); key != "" {
			return reflect.TypeOf(l).String() + " " + key
		}
	}
	return ""
}

// of returns what the layers say about a resource.
func (r *resourceSteps) of(ctx context.Context, w *worker, p *plan, resource int, some *block) *resourceStep {
	r.mu.Lock()
	defer r.mu.Unlock()
	if missing := resource + 1 - len(r.rows); missing > 0 {
		r.rows = append(r.rows, make([]*resourceStep, missing)...)
	}
	if r.rows[resource] == nil {
		w.said.steps = append(w.said.steps[:0], make([]scope.Step, len(r.layers))...)
		r.ask(ctx, &w.said, w.question(p.e.asker(uint32(resource)), p.phase, some))
		if ctx.Err() != nil {
			return nil
		}
		r.rows[resource] = r.once(&w.said)
	}
	return r.rows[resource]
}

// once returns what stands for an answer: a copy, or the one that stands for all that leave
// everything out for the same reason.
func (r *resourceSteps) once(s *resourceStep) *resourceStep {
	alike := func(a, b scope.Step) bool {
		return a.Outcome == b.Outcome && a.Stage == b.Stage && a.OnError == b.OnError
	}
	if s.excluded {
		for _, known := range r.excluded {
			if known.applies == s.applies && slices.EqualFunc(known.steps, s.steps, alike) {
				return known
			}
		}
	}
	own := *s
	own.steps = slices.Clone(s.steps)
	if s.excluded {
		r.excluded = append(r.excluded, &own)
	}
	return &own
}

// ask asks the layers in order. Where rules match there is no need to ask whether they name
// the resource.
func (r *resourceSteps) ask(ctx context.Context, s *resourceStep, q scope.Question) {
	s.excluded, s.applies, s.sees = false, false, true
	for i, l := range r.layers {
		if fixed, ok := l.(scope.ResourceLayer); ok && fixed.ReadsOnlyResource() {
			s.steps[i] = l.Decide(ctx, q)
			if s.steps[i].Matched != nil {
				q.Matched = *s.steps[i].Matched
			}
			s.excluded = s.excluded || s.steps[i].Outcome == scope.NoMatch && s.steps[i].Stage == scope.StageMatch
		}
		if namer, ok := l.(scope.Namer); ok && l.Name() != scope.BindingResourceRules {
			s.applies = s.steps[i].Matched != nil || namer.NamesResource(q)
		}
	}
	s.matched = q.Matched
	for i, l := range r.layers {
		if _, ok := l.(scope.Namer); ok {
			chosen := s.steps[i].Matched
			s.sees = s.sees && s.steps[i].Outcome != "" && (chosen == nil || *chosen == s.matched)
		}
	}
}

// keyedKey is what layers with the same memo have in common.
type keyedKey struct {
	key   string
	reads sharedKey
	phase scope.Phase
}

// keyedMemo returns the memo of a layer that says the same as layers of other policies.
func (e *Evaluator) keyedMemo(l scope.Keyed, reads sharedKey, in inputs, a *asker, phase scope.Phase) *memo {
	reads.layer = 0
	key := keyedKey{keyOf(l), reads, phase}
	e.shared.Lock()
	defer e.shared.Unlock()
	m := e.keyed[key]
	if m == nil {
		m = newMemo(in, a, phase, scope.Matched{}, func(ctx context.Context, q scope.Question) uint32 {
			s := l.Decide(ctx, q)
			return e.steps.id(step{outcome: s.Outcome, stage: s.Stage, onError: s.OnError})
		})
		m.keyed = true
		e.keyed[key] = m
	}
	return m
}

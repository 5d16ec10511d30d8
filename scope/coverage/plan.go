package coverage

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// maxLayers is more than any policy has.
const maxLayers = 24

// steps are the steps of all layers of a policy about one object, by their numbers; zero is
// a layer that was not asked.
type steps [maxLayers]uint16

// step is what matters of a scope.Step: how it combines, and in which version a layer of
// rules makes the policy see the object.
type step struct {
	outcome scope.StepOutcome
	stage   scope.Stage
	onError scope.Effect
	matched scope.Matched
}

func (s step) full() scope.Step {
	return scope.Step{Outcome: s.outcome, Stage: s.stage, OnError: s.onError}
}

// plan is how a policy is evaluated: for each resource, what its layers read. It serves
// one goroutine at a time.
type plan struct {
	policy *scope.Policy
	e      *Evaluator
	phase  scope.Phase
	// rows are by resource.
	rows []*rowPlan
	// layers holds the distinct steps of each layer, and endings those of the policy. Number
	// zero stands for none.
	layers  [][]step
	endings *table[scope.Ending]
	// outcomes are those of the endings.
	outcomes []kind
	// shared are the memos of layers to which the resource makes no difference.
	shared map[sharedKey]*memo
	// fixed are the rows in which all objects end alike, each kind of them once.
	fixed map[fixedKey]*rowPlan
	// lastFixed is the one that was used last, and lastSaid what the layers of resources said.
	lastSaid  *resourceStep
	lastFixed *rowPlan
	// resources are what the layers say that read nothing but the resource.
	resources *resourceSteps
	// places are what layers say that do not look at objects, and spaces the numbers of these
	// by namespace.
	places []steps
	spaces map[spaceKey][]uint16
	// ends are the numbers of the endings that steps make, and leftOut whether the steps
	// before a layer leave an object out.
	ends    map[steps]uint8
	leftOut map[stepsBefore]bool
}

type fixedKey struct {
	applies bool
	settled uint8
}

type stepsBefore struct {
	steps
	layer int
}

// spaceKey is what the places by namespace depend on, where at most one layer looks at them.
type spaceKey struct {
	base  steps
	layer int
	memo  *memo
}

// sharedKey is a layer and what it reads.
type sharedKey struct {
	layer                              int
	namespace, namespaceObject, object bool
}

func newPlan(e *Evaluator, p *scope.Policy) *plan {
	pl := &plan{
		policy: p, e: e, phase: scope.MutatingPolicies,
		endings: newTable(scope.Ending{}), outcomes: make([]kind, 1), ends: map[steps]uint8{},
		shared: map[sharedKey]*memo{}, fixed: map[fixedKey]*rowPlan{},
		places: make([]steps, 1), spaces: map[spaceKey][]uint16{},
	}
	for range p.Layers {
		pl.layers = append(pl.layers, make([]step, 1, 4))
	}
	if p.Phase.Mutated() {
		pl.phase = scope.ValidatingPolicies
	}
	pl.resources = e.resourceSteps(p)
	return pl
}

// step numbers a step of a layer.
func (p *plan) step(layer int, s scope.Step) uint16 {
	plain := step{outcome: s.Outcome, stage: s.Stage, onError: s.OnError}
	if s.Matched != nil {
		plain.matched = *s.Matched
	}
	i := slices.Index(p.layers[layer], plain)
	if i < 0 {
		i = len(p.layers[layer])
		p.layers[layer] = append(p.layers[layer], plain)
	}
	return uint16(i)
}

// end combines steps, and numbers the ending.
func (p *plan) end(all []scope.Step, r *scope.Request) uint8 {
	e := p.policy.Combine(all, r)
	id := int(p.endings.id(e))
	if id == len(p.outcomes) {
		p.outcomes = append(p.outcomes, kindOf(e.Outcome))
	}
	return uint8(id)
}

// full writes steps out.
func (p *plan) full(s steps) []scope.Step {
	all := make([]scope.Step, len(p.layers))
	for i, known := range p.layers {
		all[i] = known[s[i]].full()
	}
	return all
}

// row returns the plan for a resource. Some is any block of its objects.
func (p *plan) row(ctx context.Context, w *worker, resource int, some *block) *rowPlan {
	if missing := resource + 1 - len(p.rows); missing > 0 {
		p.rows = append(p.rows, make([]*rowPlan, missing)...)
	}
	if p.rows[resource] == nil {
		if r := p.newRow(ctx, w, resource, some); ctx.Err() == nil {
			p.rows[resource] = r
		}
	}
	return p.rows[resource]
}

// at returns the plan for a resource, if it was made.
func (p *plan) at(resource int) *rowPlan {
	if resource >= len(p.rows) {
		return nil
	}
	return p.rows[resource]
}

// newRow asks the layers that say the same about all objects of a resource, and plans the
// others. Nothing is returned if the context was cancelled.
func (p *plan) newRow(ctx context.Context, w *worker, resource int, some *block) *rowPlan {
	said := p.resources.of(ctx, w, p, resource, some)
	if ctx.Err() != nil {
		return nil
	}
	if said == p.lastSaid {
		return p.lastFixed
	}
	a := p.e.asker(uint32(resource))
	if said.excluded {
		p.lastSaid = said
		p.lastFixed = p.fix(said.applies, p.end(said.steps, &scope.Request{DryRun: a.ask.DryRun}))
		return p.lastFixed
	}
	var base steps
	for i, s := range said.steps {
		if s.Outcome != "" {
			if said.sees {
				s.Matched = nil
			}
			base[i] = p.step(i, s)
		}
	}
	r := &rowPlan{plan: p, asker: a, phase: p.phase, applies: said.applies, base: base, seen: said.matched}
	q := w.question(a, p.phase, some)
	q.Matched = said.matched
	for i := range p.policy.Layers {
		if base[i] == 0 && !r.place(ctx, w, i, q, some) {
			return nil
		}
	}
	if len(r.spaces)+len(r.objects) == 0 {
		return p.fix(said.applies, r.ending(r.base))
	}
	return r
}

// fix returns the row in which all objects have an ending.
func (p *plan) fix(applies bool, ending uint8) *rowPlan {
	key := fixedKey{applies, ending}
	if p.fixed[key] == nil {
		p.fixed[key] = &rowPlan{plan: p, applies: applies, settled: ending}
	}
	return p.fixed[key]
}

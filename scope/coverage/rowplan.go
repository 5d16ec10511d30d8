package coverage

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// rowPlan is how a policy is evaluated for the objects of one resource.
type rowPlan struct {
	plan  *plan
	asker *asker
	phase scope.Phase
	// applies says that some rule of the policy names the resource.
	applies bool
	// base has the steps of the layers that say the same about all objects, and settled is
	// the ending if it follows from these, else zero.
	base    steps
	settled uint8
	// seen is the version in which layers see the object unless a layer of rules that is
	// asked about objects says otherwise.
	seen scope.Matched
	// spaces are the layers that look at namespaces alone, objects those that look at more.
	spaces  []*layerPlan
	objects []*layerPlan

	// tables are the endings by place of the plan, for so many answers of the only layer that
	// looks at labels.
	tables  []endingsBy
	answers int
}

// layerPlan is a layer that has to be asked about objects, or about namespaces.
type layerPlan struct {
	index int
	layer scope.Layer
	// last says that the layer is asked only about objects that the others let through.
	last bool
	// first is the layer as it sees the object in the version that the row has, and versions
	// in each: which one it is may depend on the name that a rule matched.
	first    *asked
	versions []*asked
}

// asked is a layer as it sees the object in one version: as a whole, or divided.
type asked struct {
	matched scope.Matched
	whole   *memo
	parts   []*memo
	join    *joiner
	// local has the numbers that the plan gives to the steps of a memo of several policies.
	local []uint16
}

// place plans a layer, by what it looks at. One that looks at nothing is asked at once.
func (r *rowPlan) place(ctx context.Context, w *worker, i int, q scope.Question, some *block) bool {
	l := r.plan.policy.Layers[i]
	lp := &layerPlan{index: i, layer: l, last: l.Name().AreConditions()}
	a := r.version(lp, r.seen, q)
	lp.first = a
	constant, space := true, false
	for _, m := range a.memos() {
		constant, space = constant && m.in.constant(), space || m.in.space || m.in.object || m.in.params
	}
	// Where a layer of rules may choose the version for each object, what comes after it has
	// to be asked about each object, too.
	constant = constant && (!lp.last || len(r.objects) == 0 || !r.choosesVersion())
	switch {
	case !constant:
		r.objects = append(r.objects, lp)
	case space:
		r.spaces = append(r.spaces, lp)
	default:
		step, err := r.constant(ctx, w, lp, some)
		if err != nil {
			return false
		}
		r.base[i] = step
	}
	return true
}

// choosesVersion reports whether some layer that looks at objects is one of rules.
func (r *rowPlan) choosesVersion() bool {
	return slices.ContainsFunc(r.objects, func(lp *layerPlan) bool {
		_, ok := lp.layer.(scope.Namer)
		return ok
	})
}

// version returns a layer as it sees the object in a version.
func (r *rowPlan) version(lp *layerPlan, matched scope.Matched, q scope.Question) *asked {
	for _, a := range lp.versions {
		if a.matched == matched {
			return a
		}
	}
	q.Matched = matched
	a := &asked{matched: matched}
	if d, ok := lp.layer.(scope.Divided); ok {
		if divisions := d.Divisions(); divisions != nil {
			a.join = newJoiner(r.plan, d, lp.index)
			for _, division := range divisions {
				a.parts = append(a.parts, r.plan.e.division(r, division, q))
			}
		}
	}
	if a.join == nil {
		a.whole = r.whole(lp, q)
	}
	lp.versions = append(lp.versions, a)
	return a
}

// whole makes the memo of a layer that is asked as a whole, or returns the one of another
// resource that serves as well.
func (r *rowPlan) whole(lp *layerPlan, q scope.Question) *memo {
	reads := scope.ReadsOf(lp.layer, q)
	key := sharedKey{lp.index, reads.Namespace, reads.NamespaceObject, reads.Object != nil || reads.OldObject != nil}
	shares := reads.AnyResource && !reads.Name && !r.asker.namespaces
	if m := r.plan.shared[key]; m != nil && shares {
		return m
	}
	in := r.plan.e.inputsOf(r.asker, reads)
	asker := r.asker
	if shares {
		asker = r.plan.e.common(reads.Namespace || reads.NamespaceObject, asker)
	}
	if keyed, ok := lp.layer.(scope.Keyed); ok && shares && keyed.Key() != "" {
		m := r.plan.e.keyedMemo(keyed, key, in, asker, r.phase)
		r.plan.shared[key] = m
		return m
	}
	m := newMemo(in, asker, r.phase, q.Matched, func(ctx context.Context, q scope.Question) uint32 {
		return uint32(r.plan.step(lp.index, lp.layer.Decide(ctx, q)))
	})
	if shares {
		r.plan.shared[key] = m
	}
	return m
}

// step returns the number of the step that an answer to the whole layer is.
func (r *rowPlan) step(lp *layerPlan, a *asked, answer uint32) uint16 {
	if !a.whole.keyed {
		return uint16(answer)
	}
	if missing := int(answer) + 1 - len(a.local); missing > 0 {
		a.local = append(a.local, make([]uint16, missing)...)
	}
	if a.local[answer] == 0 {
		a.local[answer] = r.plan.step(lp.index, r.plan.e.steps.get(answer).full())
	}
	return a.local[answer]
}

// constant returns the layer's step for all objects of a block, on which it does not depend.
func (r *rowPlan) constant(ctx context.Context, w *worker, lp *layerPlan, b *block) (uint16, error) {
	a := lp.first
	if a.whole != nil {
		answer, err := a.whole.constant(ctx, w, b)
		if err != nil {
			return 0, err
		}
		return r.step(lp, a, answer), nil
	}
	state := uint32(0)
	for _, m := range a.parts {
		answer, err := m.constant(ctx, w, b)
		if err != nil {
			return 0, err
		}
		state = a.join.add(state, answer)
	}
	return a.join.step(state), nil
}

func (a *asked) memos() []*memo {
	if a.whole != nil {
		return []*memo{a.whole}
	}
	return a.parts
}

// ending returns the number of the ending that steps make.
func (r *rowPlan) ending(s steps) uint8 {
	p := r.plan
	e, ok := p.ends[s]
	if !ok {
		e = p.end(p.full(s), &scope.Request{DryRun: p.e.ask.DryRun})
		p.ends[s] = e
	}
	return e
}

// isLeftOut reports whether the steps so far leave an object out.
func (r *rowPlan) isLeftOut(s steps, before int) bool {
	p, key := r.plan, stepsBefore{s, before}
	out, ok := p.leftOut[key]
	if !ok {
		if p.leftOut == nil {
			p.leftOut = map[stepsBefore]bool{}
		}
		out = scope.LeftOut(p.full(s)[:before])
		p.leftOut[key] = out
	}
	return out
}

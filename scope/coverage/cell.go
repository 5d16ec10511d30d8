package coverage

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// cell is the endings of the objects of one block, by number: one for all, or one for each.
type cell []uint8

// uniform are the cells of blocks whose objects all end alike.
var uniform = func() (all [256]cell) {
	for i := range all {
		all[i] = cell{uint8(i)}
	}
	return all
}()

func (c cell) at(i int) uint8 {
	if len(c) == 1 {
		return c[0]
	}
	return c[i]
}

// space evaluates the layers that look at namespaces alone.
func (w *worker) space(ctx context.Context, r *rowPlan, b *block) (steps, error) {
	all := r.base
	for _, lp := range r.spaces {
		step, err := r.constant(ctx, w, lp, b)
		if err != nil {
			return all, err
		}
		all[lp.index] = step
	}
	return all, nil
}

// cell evaluates a policy for the objects of a block.
func (w *worker) cell(ctx context.Context, r *rowPlan, b *block) (cell, error) {
	all, err := w.space(ctx, r, b)
	if err != nil {
		return nil, err
	}
	if r.decided(all) {
		return uniform[r.ending(all)], nil
	}
	w.steps = slices.Grow(w.steps[:0], b.len())[:b.len()]
	for i := range w.steps {
		w.steps[i] = all
	}
	for _, lp := range r.objects {
		if err := w.layer(ctx, r, lp, b); err != nil {
			return nil, err
		}
	}
	return w.finish(r), nil
}

// decided reports whether the steps so far exclude an object whatever the layers say that
// look at objects: a "no" in the first stage, before all of these.
func (r *rowPlan) decided(s steps) bool {
	for i := range r.objects[0].index {
		if known := &r.plan.layers[i][s[i]]; known.outcome == scope.NoMatch && known.stage == scope.StageMatch {
			return true
		}
	}
	return false
}

// keep makes a cell of the worker's endings.
func (w *worker) keep(same bool) cell {
	if same {
		return uniform[w.endings[0]]
	}
	return slices.Clone(w.endings)
}

// every lists all objects of a block.
func (w *worker) every(b *block) []int32 {
	for i := len(w.all); i < b.len(); i++ {
		w.all = append(w.all, int32(i))
	}
	return w.all[:b.len()]
}

// see returns a layer as it sees an object about which the steps so far are known.
func (r *rowPlan) see(lp *layerPlan, so *steps) *asked {
	matched := r.seen
	for i := range lp.index {
		if m := &r.plan.layers[i][so[i]].matched; m.Kind.Kind != "" {
			matched = *m
		}
	}
	if matched == lp.first.matched {
		return lp.first
	}
	return r.version(lp, matched, r.asker.question(subject{bare: true}, r.phase))
}

// layer asks one layer about the objects of a block. The last one is asked only about those
// that the others let through, in the version in which it sees them.
func (w *worker) layer(ctx context.Context, r *rowPlan, lp *layerPlan, b *block) error {
	if !lp.last {
		w.objects = append(w.objects[:0], w.every(b)...)
		return w.group(ctx, r, lp, lp.first, b)
	}
	w.versions = w.versions[:0]
	var so *steps
	var a *asked
	for i := range w.steps {
		if so == nil || w.steps[i] != *so {
			so, a = &w.steps[i], nil
			if !r.isLeftOut(*so, lp.index) {
				a = r.see(lp, so)
			}
		}
		if a == nil {
			continue
		}
		k := slices.IndexFunc(w.versions, func(v version) bool { return v.asked == a })
		if k < 0 {
			k = len(w.versions)
			w.versions = slices.Grow(w.versions, 1)[:k+1]
			w.versions[k].asked, w.versions[k].objects = a, w.versions[k].objects[:0]
		}
		w.versions[k].objects = append(w.versions[k].objects, int32(i))
	}
	for _, v := range w.versions {
		w.objects = append(w.objects[:0], v.objects...)
		if err := w.group(ctx, r, lp, v.asked, b); err != nil {
			return err
		}
	}
	return nil
}

// version is the objects of a block that a layer sees in one version.
type version struct {
	asked   *asked
	objects []int32
}

// group asks a layer, in one version, about some objects of a block.
func (w *worker) group(ctx context.Context, r *rowPlan, lp *layerPlan, a *asked, b *block) error {
	n := len(w.objects)
	w.answers = slices.Grow(w.answers[:0], n)[:n]
	if a.whole != nil {
		if err := a.whole.fill(ctx, w, b, w.objects, w.answers); err != nil {
			return err
		}
		for k, i := range w.objects {
			w.steps[i][lp.index] = r.step(lp, a, w.answers[k])
		}
		return nil
	}
	w.states = slices.Grow(w.states[:0], n)[:n]
	clear(w.states)
	for _, m := range a.parts {
		if err := w.part(ctx, a.join, m, b); err != nil {
			return err
		}
	}
	for k, i := range w.objects {
		w.steps[i][lp.index] = a.join.step(w.states[k])
	}
	return nil
}

// part asks one question of a divided layer about some objects of a block.
func (w *worker) part(ctx context.Context, j *joiner, m *memo, b *block) error {
	if m.in.constant() {
		answer, err := m.constant(ctx, w, b)
		if err != nil {
			return err
		}
		for k := range w.answers {
			w.answers[k] = answer
		}
	} else if err := m.fill(ctx, w, b, w.objects, w.answers); err != nil {
		return err
	}
	var last joined
	var next uint32
	for k, answer := range w.answers {
		if key := (joined{w.states[k], answer}); k == 0 || key != last {
			last, next = key, j.add(key.state, key.said)
		}
		w.states[k] = next
	}
	return nil
}

// finish turns the steps of the objects into a cell.
func (w *worker) finish(r *rowPlan) cell {
	w.endings = w.endings[:0]
	same := true
	var last *steps
	var ending uint8
	for i := range w.steps {
		if last == nil || w.steps[i] != *last {
			last, ending = &w.steps[i], r.ending(w.steps[i])
		}
		w.endings = append(w.endings, ending)
		same = same && ending == w.endings[0]
	}
	return w.keep(same)
}

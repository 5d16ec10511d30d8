package coverage

import (
	"bytes"
	"context"
	"slices"
)

// byLabels returns the memo of the only layer that looks at objects, if it looks at
// nothing but their labels, as most objectSelectors do.
func (r *rowPlan) byLabels() *memo {
	if len(r.objects) != 1 || r.objects[0].last || r.objects[0].first.whole == nil {
		return nil
	}
	if m := r.objects[0].first.whole; m.dense() && m.in.labels != nil {
		return m
	}
	return nil
}

// labelled evaluates the blocks of a resource that are not kept, for a policy that looks at
// nothing of the objects but their labels.
func (v *evaluation) labelled(ctx context.Context, rp *rowPlan, m *memo, r *rowResult, d *rowDiff, cells *writer[cell]) error {
	answers, known, err := m.answers(ctx, v.w)
	if err != nil {
		return err
	}
	room := 0
	for i, b := range r.of.blocks {
		if d.was[i] < 0 {
			room += b.len()
		}
	}
	all := make(cell, 0, room)
	for i, b := range r.of.blocks {
		if d.was[i] >= 0 {
			continue
		}
		so, err := v.w.space(ctx, rp, b)
		if err != nil {
			return err
		}
		if rp.decided(so) {
			*cells.at(i) = uniform[rp.ending(so)]
			v.count(r, r, i, 1)
			continue
		}
		from := len(all)
		all = v.labels(rp, answers, known, b, so, all)
		if ending, same := v.tallied(r, b); same {
			*cells.at(i), all = uniform[ending], all[:from]
		} else {
			*cells.at(i) = slices.Clip(all[from:])
		}
	}
	return nil
}

// labels appends the endings of the objects of a block, and tallies them.
func (v *evaluation) labels(rp *rowPlan, answers []uint8, known int, b *block, so steps, out cell) cell {
	byStep := rp.endingsByStep(so, known)
	from := len(out)
	out = out[:from+b.len()]
	mine := out[from:]
	for i, set := range b.labels {
		mine[i] = byStep[answers[set]]
	}
	// Counting a block once for each ending is faster than counting each object.
	tally, left := v.tallies(len(v.result.plan.outcomes)), int32(b.len())
	for _, ending := range byStep[1:] {
		if left == 0 {
			break
		}
		if tally[ending] == 0 {
			tally[ending] = int32(bytes.Count(mine, uniform[ending]))
			left -= tally[ending]
		}
	}
	return out
}

// tallies returns the tally of a block, with room for all endings.
func (v *evaluation) tallies(n int) []int32 {
	if missing := n - len(v.w.tally); missing > 0 {
		v.w.tally = append(v.w.tally, make([]int32, missing)...)
	}
	return v.w.tally
}

// tallied counts the tally of a block in, clears it, and returns the ending of all objects
// if they have the same.
func (v *evaluation) tallied(r *rowResult, b *block) (ending uint8, same bool) {
	outcomes := v.result.plan.outcomes
	if missing := len(outcomes) - len(r.tally); missing > 0 {
		r.tally = append(r.tally, make([]int32, missing)...)
	}
	for i, n := range v.w.tally {
		if n == 0 {
			continue
		}
		ending, same = uint8(i), int(n) == b.len()
		v.w.tally[i] = 0
		r.tally[i] += n
		if r.applies {
			v.space(b.namespace).add(outcomes[i], n)
		}
	}
	return ending, same
}

// endingsByStep returns the endings for each answer of the only layer that looks at objects.
func (r *rowPlan) endingsByStep(so steps, answers int) []uint8 {
	return r.endingsBy(r.objects[0], so, answers)
}

// endingsBy returns the endings for each answer of a layer, the only one that is missing.
func (r *rowPlan) endingsBy(lp *layerPlan, so steps, answers int) []uint8 {
	if so != r.lastBase {
		r.lastBase, r.byStep = so, r.byStep[:0]
	}
	for answer := len(r.byStep); answer < answers; answer++ {
		so[lp.index] = 0
		if answer > 0 {
			so[lp.index] = r.step(lp, lp.first, uint32(answer))
		}
		r.byStep = append(r.byStep, r.ending(so))
	}
	return r.byStep
}

package coverage

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// policyResult is what became of all objects under one policy. It does not change.
type policyResult struct {
	plan *plan
	// policy is the policy as it was compiled last; the plan may be older.
	policy *scope.Policy
	// rows are by resource.
	rows []*rowResult
	// spaces are by namespace.
	spaces pages[Counts]
}

// rowResult is what became of the objects of one resource. It does not change.
type rowResult struct {
	of      *row
	applies bool
	// settled is the ending of all objects, if it is the same whatever they are; spaces has
	// the endings by namespace, if they depend on nothing else; cells by block otherwise.
	settled uint8
	spaces  []uint8
	cells   pages[cell]
	// tally counts the objects by ending, unless they are settled.
	tally []int32
}

// cell returns the endings of a block.
func (r *rowResult) cell(i int) cell {
	switch {
	case r.settled > 0:
		return uniform[r.settled]
	case r.spaces != nil:
		return uniform[r.spaces[r.of.blocks[i].namespace]]
	}
	return *r.cells.at(i)
}

// endings returns how many objects have each ending.
func (r *rowResult) endings() []int32 {
	if r.settled == 0 {
		return r.tally
	}
	all := make([]int32, int(r.settled)+1)
	all[r.settled] = int32(r.of.size)
	return all
}

// count counts the objects of a block in a row's tally and in its namespace, or takes them
// away. The row of the block may be an older one.
func (v *evaluation) count(r, of *rowResult, i int, sign int32) {
	outcomes := v.result.plan.outcomes
	if missing := len(outcomes) - len(r.tally); missing > 0 {
		r.tally = append(r.tally, make([]int32, missing)...)
	}
	b, c := of.of.blocks[i], of.cell(i)
	if len(c) == 1 {
		n := sign * int32(b.len())
		r.tally[c[0]] += n
		if of.applies {
			v.space(b.namespace).add(outcomes[c[0]], n)
		}
		return
	}
	tally := v.tallies(len(outcomes))
	for _, ending := range c {
		tally[ending]++
	}
	for ending, n := range tally {
		if n == 0 {
			continue
		}
		tally[ending] = 0
		r.tally[ending] += sign * n
		if of.applies {
			v.space(b.namespace).add(outcomes[ending], sign*n)
		}
	}
}

// endingsIn returns the endings by namespace of a row in which no layer looks at objects.
// Rows of other resources that are decided alike share them.
func (v *evaluation) endingsIn(ctx context.Context, r *rowPlan, blocks []*block) ([]uint8, error) {
	var all []uint8
	key := spaceKey{base: r.base}
	if len(r.spaces) == 1 {
		key.layer, key.memo = r.spaces[0].index, r.spaces[0].first.whole
		if key.memo != nil {
			all = r.plan.spaces[key]
		}
	}
	if missing := len(v.w.namespaces) - len(all); missing > 0 {
		all = append(slices.Clip(all), make([]uint8, missing)...)
	}
	last := uint32(0)
	for i, b := range blocks {
		if i > 0 && b.namespace == last || all[b.namespace] > 0 {
			continue
		}
		last = b.namespace
		if key.memo != nil {
			answer, err := key.memo.constant(ctx, v.w, b)
			if err != nil {
				return nil, err
			}
			all[b.namespace] = r.endingsBy(r.spaces[0], r.base, int(answer)+1)[answer]
			continue
		}
		s, err := v.w.space(ctx, r, b)
		if err != nil {
			return nil, err
		}
		all[b.namespace] = r.ending(s)
	}
	if key.memo != nil {
		r.plan.spaces[key] = all
	}
	return all, nil
}

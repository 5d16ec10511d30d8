package coverage

import "github.com/ambit-k8s/ambit/scope"

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
	// settled is the ending of all objects, if it is the same whatever they are; lookup finds
	// the endings, if they depend on namespaces and labels alone; cells has them by block
	// otherwise.
	settled uint8
	lookup  *lookup
	cells   pages[cell]
	// tally counts the objects by ending, unless they are settled.
	tally []int32
}

// cell returns the endings of a block. They may lie in the room, until it is used again.
func (r *rowResult) cell(i int, room *cell) cell {
	switch {
	case r.settled > 0:
		return uniform[r.settled]
	case r.lookup != nil:
		return r.lookup.cell(r.of.blocks[i], room)
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

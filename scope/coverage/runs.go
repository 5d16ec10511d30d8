package coverage

import "slices"

// run is the objects of one resource in one namespace: consecutive blocks of a row, from
// the first to the one before the end.
type run struct {
	namespace        uint32
	first, end, size int32
}

// spaces returns the runs of a row.
func (r *row) spaces() []run {
	r.findRuns.Do(func() {
		for i, b := range r.blocks {
			if i == 0 || r.blocks[i-1].namespace != b.namespace {
				r.runs = append(r.runs, run{namespace: b.namespace, first: int32(i)})
			}
			last := &r.runs[len(r.runs)-1]
			last.end, last.size = int32(i)+1, last.size+int32(b.len())
		}
	})
	return r.runs
}

// setIndex finds the objects of a row by their set of labels.
type setIndex struct {
	// sets are the distinct ones. The objects that have the i-th are in the runs from starts[i]
	// to the one before starts[i+1].
	sets   []uint32
	starts []int32
	runs   []int32
}

// bySet returns the index of a row. All sets have lower numbers than those given.
func (r *row) bySet(sets int) *setIndex {
	r.findSets.Do(func() {
		x := &r.sets
		// places has one more than the place of a set among the distinct ones.
		places := make([]int32, sets)
		x.starts = append(x.starts, 0)
		for _, b := range r.blocks {
			for _, set := range b.labels {
				if places[set] == 0 {
					x.sets, x.starts = append(x.sets, set), append(x.starts, 0)
					places[set] = int32(len(x.sets))
				}
				x.starts[places[set]]++
			}
		}
		for i := range x.sets {
			x.starts[i+1] += x.starts[i]
		}
		next := slices.Clone(x.starts)
		x.runs = make([]int32, r.size)
		for i, s := range r.spaces() {
			for _, b := range r.blocks[s.first:s.end] {
				for _, set := range b.labels {
					at := &next[places[set]-1]
					x.runs[*at] = int32(i)
					*at++
				}
			}
		}
	})
	return &r.sets
}

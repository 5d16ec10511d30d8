package coverage

import (
	"context"
	"slices"
)

// evaluation is the evaluation of one policy by one worker.
type evaluation struct {
	*update
	w      *worker
	result *policyResult
	// spaces writes the counts by namespace; nil if none has changed yet.
	spaces *writer[Counts]
}

// space returns the counts of a namespace, which may be changed.
func (v *evaluation) space(namespace uint32) *Counts {
	if v.spaces == nil {
		v.spaces = copyOf(v.result.spaces)
	}
	return v.spaces.at(int(namespace))
}

// settle counts the objects of a block that all end alike, or takes them away.
func (v *evaluation) settle(r *rowResult, i int, sign int32) {
	b := r.of.blocks[i]
	v.space(b.namespace).add(v.result.plan.outcomes[r.settled], sign*int32(b.len()))
}

// policy evaluates one policy.
func (u *update) policy(ctx context.Context, w *worker, result, before *policyResult) error {
	v := &evaluation{update: u, w: w, result: result}
	if before != nil {
		result.rows, result.spaces = before.rows, before.spaces
	}
	result.rows = append(slices.Clone(result.rows), make([]*rowResult, max(0, len(u.pop.rows)-len(result.rows)))...)
	result.spaces = result.spaces.grown(len(w.namespaces))
	if before == nil {
		v.spaces = &writer[Counts]{pages: result.spaces}
	}
	if before != nil && !u.changes.any() {
		for _, id := range u.touched {
			if err := v.row(ctx, id, result.rows[id]); err != nil {
				return err
			}
		}
	} else {
		for id, was := range result.rows {
			if err := v.row(ctx, id, was); err != nil {
				return err
			}
		}
	}
	if v.spaces != nil {
		result.spaces = v.spaces.pages
	}
	return nil
}

// row evaluates the policy for the objects of one resource.
func (v *evaluation) row(ctx context.Context, id int, was *rowResult) error {
	var now *row
	if id < len(v.pop.rows) && v.pop.rows[id] != nil && len(v.pop.rows[id].blocks) > 0 {
		now = v.pop.rows[id]
	}
	if now == nil {
		v.result.rows[id] = nil
		if was != nil {
			v.drop(was)
		}
		return nil
	}
	rp := v.result.plan.row(ctx, v.w, id, now.blocks[0])
	if err := ctx.Err(); err != nil {
		return err
	}
	rereads := rp.rereads(v.changes)
	if was != nil && was.of == now && !rereads {
		return nil
	}
	r := v.newRow()
	r.of, r.applies, r.settled = now, rp.applies, rp.settled
	v.result.rows[id] = r
	d := v.kept(id, was, now, rereads)
	switch {
	case r.settled > 0:
		v.settled(r, was, d)
	case len(rp.objects) == 0:
		return v.spacesOf(ctx, rp, r, was, d)
	default:
		return v.blocks(ctx, rp, r, was, d)
	}
	return nil
}

// newRow returns a result that is not in use.
func (v *evaluation) newRow() *rowResult {
	if len(v.w.slab) == 0 {
		v.w.slab = make([]rowResult, 16)
	}
	r := &v.w.slab[0]
	v.w.slab = v.w.slab[1:]
	return r
}

// drop takes the objects of an older result away.
func (v *evaluation) drop(was *rowResult) {
	gone := rowResult{}
	for i := range was.of.blocks {
		switch {
		case !was.applies:
		case was.settled > 0:
			v.settle(was, i, -1)
		default:
			v.count(&gone, was, i, -1)
		}
	}
}

// settled counts the blocks that are new, and takes those away that are gone.
func (v *evaluation) settled(r, was *rowResult, d *rowDiff) {
	if !r.applies {
		return
	}
	for _, place := range d.gone {
		v.settle(was, int(place), -1)
	}
	for i, place := range d.was {
		if place < 0 {
			v.settle(r, i, 1)
		}
	}
}

// spacesOf evaluates a row in which no layer looks at objects.
func (v *evaluation) spacesOf(ctx context.Context, rp *rowPlan, r, was *rowResult, d *rowDiff) error {
	var err error
	if r.spaces, err = v.endingsIn(ctx, rp, r.of.blocks); err != nil {
		return err
	}
	if was != nil {
		r.tally = slices.Clone(was.tally)
	}
	for _, place := range d.gone {
		v.count(r, was, int(place), -1)
	}
	for i, place := range d.was {
		if place < 0 {
			v.count(r, r, i, 1)
		}
	}
	return nil
}

// kept says which blocks need not be evaluated again.
func (u *update) kept(id int, was *rowResult, now *row, rereads bool) *rowDiff {
	if was == nil {
		return u.fresh(len(now.blocks))
	}
	d := u.diffs[id]
	if d == nil {
		d = &rowDiff{was: make([]int32, len(now.blocks))}
		for i := range d.was {
			d.was[i] = int32(i)
		}
	}
	if !rereads {
		return d
	}
	again := &rowDiff{was: slices.Clone(d.was), gone: slices.Clone(d.gone), moved: d.moved}
	all := u.changes.params || u.e.asker(uint32(id)).namespaces
	for i, b := range now.blocks {
		if (all || u.changes.ids[b.namespace]) && again.was[i] >= 0 {
			again.gone = append(again.gone, again.was[i])
			again.was[i] = -1
		}
	}
	return again
}

// fresh is the difference to nothing. It is shared and must not be modified.
func (u *update) fresh(n int) *rowDiff {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all[n] == nil {
		if u.all == nil {
			u.all = map[int]*rowDiff{}
		}
		u.all[n] = &rowDiff{was: slices.Repeat([]int32{-1}, n), moved: true}
	}
	return u.all[n]
}

// blocks evaluates the blocks of a resource that are not kept.
func (v *evaluation) blocks(ctx context.Context, rp *rowPlan, r, was *rowResult, d *rowDiff) error {
	cells := v.cells(r, was, d)
	if was != nil {
		r.tally = slices.Clone(was.tally)
	}
	for _, place := range d.gone {
		v.count(r, was, int(place), -1)
	}
	r.cells = cells.pages
	if m := rp.byLabels(); m != nil {
		return v.labelled(ctx, rp, m, r, d, cells)
	}
	for i, b := range r.of.blocks {
		if d.was[i] >= 0 {
			continue
		}
		c, err := v.w.cell(ctx, rp, b)
		if err != nil {
			return err
		}
		*cells.at(i) = c
		v.count(r, r, i, 1)
	}
	return nil
}

// cells begins to write the cells of a row, with those in it that are kept.
func (v *evaluation) cells(r, was *rowResult, d *rowDiff) *writer[cell] {
	n := len(r.of.blocks)
	if was != nil && !d.moved {
		return copyOf(was.cells.grown(n))
	}
	w := &writer[cell]{pages: makePages[cell](n)}
	for i, place := range d.was {
		if place >= 0 {
			*w.at(i) = *was.cells.at(int(place))
		}
	}
	return w
}

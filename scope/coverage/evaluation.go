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
	counts counting
}

// space returns the counts of a namespace, which may be changed.
func (v *evaluation) space(namespace uint32) *Counts {
	if v.spaces == nil {
		v.spaces = copyOf(v.result.spaces)
	}
	return v.spaces.at(int(namespace))
}

// policy evaluates one policy.
func (u *update) policy(ctx context.Context, w *worker, result, before *policyResult) error {
	v := &evaluation{update: u, w: w, result: result}
	ids := u.all
	if before == nil {
		result.plan, v.spaces = newPlan(u.e, result.policy), newWriter[Counts](len(w.namespaces))
		result.rows = make([]*rowResult, len(u.all))
	} else {
		if !u.changes.any() {
			ids = u.touched
		}
		result.rows, result.spaces = before.rows, before.spaces
		if len(ids) == 0 {
			return nil
		}
		result.rows = append(slices.Clone(result.rows), make([]*rowResult, max(0, len(u.all)-len(result.rows)))...)
		result.spaces = result.spaces.grown(len(w.namespaces))
	}
	for _, id := range ids {
		if err := v.row(ctx, id, result.rows[id]); err != nil {
			return err
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
	if rp.settled > 0 && !rp.applies {
		v.result.rows[id] = v.w.outside(id, now, rp.settled)
		return nil
	}
	rereads := rp.rereads(v.changes)
	if was != nil && was.of == now && !rereads {
		return nil
	}
	r := &rowResult{of: now, applies: rp.applies, settled: rp.settled}
	v.result.rows[id] = r
	d := v.kept(id, was, now, rereads)
	if rp.settled == 0 {
		if err := v.find(ctx, rp, r, was, d); err != nil {
			return err
		}
	}
	v.count(r, was, d)
	return nil
}

// find finds the endings of objects that do not all end alike.
func (v *evaluation) find(ctx context.Context, rp *rowPlan, r, was *rowResult, d *rowDiff) error {
	if labels, ok := rp.looksUp(); ok {
		return v.lookup(ctx, rp, labels, r, was, d)
	}
	cells := v.cells(r, was, d)
	r.cells = cells.pages
	for _, i := range d.fresh {
		c, err := v.w.cell(ctx, rp, r.of.blocks[i])
		if err != nil {
			return err
		}
		*cells.at(int(i)) = c
	}
	return nil
}

// count counts the objects that were not counted before, and takes those away that are gone.
func (v *evaluation) count(r, was *rowResult, d *rowDiff) {
	if was == nil {
		c := v.counting(r.applies, nil)
		c.all(r)
		r.tally = c.tally
		return
	}
	c := v.counting(r.applies, was.tally)
	for _, place := range d.gone {
		c.block(was, int(place), -1)
	}
	for _, i := range d.fresh {
		c.block(r, int(i), 1)
	}
	r.tally = c.tally
}

// drop takes the objects of an older result away.
func (v *evaluation) drop(was *rowResult) {
	c := v.counting(was.applies, nil)
	for i := range was.of.blocks {
		c.block(was, i, -1)
	}
}

// cells begins to write the cells of a row, with those in it that are kept.
func (v *evaluation) cells(r, was *rowResult, d *rowDiff) *writer[cell] {
	n := len(r.of.blocks)
	if was != nil && !d.moved {
		return copyOf(was.cells.grown(n))
	}
	w := newWriter[cell](n)
	for i, place := range d.was {
		if place >= 0 {
			*w.at(i) = *was.cells.at(int(place))
		}
	}
	return w
}

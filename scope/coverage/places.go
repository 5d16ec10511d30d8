package coverage

import (
	"context"
	"slices"
)

// placer finds the tables of namespaces in a lookup.
type placer struct {
	w *worker
	r *rowPlan
	// all has the numbers of the tables by namespace.
	all []uint16
	// byAnswer are the tables by answer of the only layer that looks at namespaces.
	byAnswer []uint16
}

// places returns the numbers of the tables by namespace. Rows of other resources that are
// decided alike share them, and what is known does not change, so that it is added in place.
func (v *evaluation) places(ctx context.Context, rp *rowPlan, r, was *rowResult, d *rowDiff) ([]uint16, error) {
	p := placer{w: v.w, r: rp}
	if was != nil && !d.rereads {
		p.from(was.lookup.places)
		for _, i := range d.fresh {
			if err := p.place(ctx, r.of.blocks[i]); err != nil {
				return nil, err
			}
		}
		return p.all, nil
	}
	key, shares := rp.spaceKey()
	if !shares {
		p.from(nil)
		return p.all, p.placeAll(ctx, r.of)
	}
	p.from(rp.plan.spaces[key])
	rp.plan.spaces[key] = p.all
	if key.memo != nil {
		return p.all, p.placeBy(ctx, r.of, key.memo)
	}
	// No layer looks at namespaces, so that all of them have the same table.
	if same := rp.plan.place(rp.base); p.all[len(p.all)-1] != same {
		for i := range p.all {
			p.all[i] = same
		}
	}
	return p.all, nil
}

// spaceKey names what the tables of the namespaces depend on, unless several questions look
// at namespaces.
func (r *rowPlan) spaceKey() (key spaceKey, ok bool) {
	key.base = r.base
	switch {
	case len(r.spaces) == 0:
		return key, true
	case len(r.spaces) == 1 && r.spaces[0].first.whole != nil:
		key.layer, key.memo = r.spaces[0].index, r.spaces[0].first.whole
		return key, true
	}
	return key, false
}

// from begins with what is known already, with room for all namespaces.
func (p *placer) from(known []uint16) {
	p.all = known
	if missing := len(p.w.namespaces) - len(known); missing > 0 {
		p.all = append(slices.Clip(known), make([]uint16, missing)...)
	}
}

// place finds the table of the namespace of a block, unless it is known.
func (p *placer) place(ctx context.Context, b *block) error {
	if p.all[b.namespace] > 0 {
		return nil
	}
	so, err := p.w.space(ctx, p.r, b)
	if err == nil {
		p.all[b.namespace] = p.r.plan.place(so)
	}
	return err
}

// placeAll finds the tables of all namespaces in which there are objects of a row.
func (p *placer) placeAll(ctx context.Context, of *row) error {
	for _, s := range of.spaces() {
		if err := p.place(ctx, of.blocks[s.first]); err != nil {
			return err
		}
	}
	return nil
}

// placeBy does the same where the memo of one layer says it all.
func (p *placer) placeBy(ctx context.Context, of *row, m *memo) error {
	ones, err := m.constants(ctx, p.w, of)
	if err != nil {
		return err
	}
	lp := p.r.spaces[0]
	for _, s := range of.spaces() {
		if p.all[s.namespace] > 0 {
			continue
		}
		answer := ones[m.spaceOf(s.namespace)]
		if missing := int(answer) + 1 - len(p.byAnswer); missing > 0 {
			p.byAnswer = append(p.byAnswer, make([]uint16, missing)...)
		}
		if p.byAnswer[answer] == 0 {
			so := p.r.base
			so[lp.index] = p.r.step(lp, lp.first, answer)
			p.byAnswer[answer] = p.r.plan.place(so)
		}
		p.all[s.namespace] = p.byAnswer[answer]
	}
	return nil
}

// place numbers what the layers say that do not look at objects, from one.
func (p *plan) place(so steps) uint16 {
	i := slices.Index(p.places, so)
	if i < 0 {
		i = len(p.places)
		p.places = append(p.places, so)
	}
	return uint16(i)
}

// tablesFor returns the tables for all places of the plan, with endings for so many answers
// of the layer that looks at labels. Results have them, so that they must not change.
func (r *rowPlan) tablesFor(answers int) []endingsBy {
	if answers <= r.answers && len(r.tables) == len(r.plan.places) {
		return r.tables
	}
	known := r.tables
	if known == nil || answers > r.answers {
		known, r.answers = make([]endingsBy, 1, len(r.plan.places)), answers
	}
	r.tables = slices.Clip(known)
	for _, so := range r.plan.places[len(known):] {
		r.tables = append(r.tables, r.table(so, r.answers))
	}
	return r.tables
}

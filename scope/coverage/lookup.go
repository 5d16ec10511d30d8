package coverage

import (
	"context"
	"slices"
)

// lookup finds the endings of objects that differ in nothing but their namespace and their
// set of labels. Nothing in it is by object, and it does not change.
type lookup struct {
	// places has the number of a table for each namespace in which there are objects.
	places []uint16
	tables []endingsBy
	// answers has what the layer that looks at labels said, by set of labels; nil if no layer
	// looks at labels.
	answers []uint8
}

// endingsBy are the endings by answer. One is the ending whatever the answer is, or zero.
type endingsBy struct {
	one uint8
	by  []uint8
}

// table returns the endings in a namespace.
func (l *lookup) table(namespace uint32) *endingsBy { return &l.tables[l.places[namespace]] }

// cell returns the endings of a block, in the room if they need any.
func (l *lookup) cell(b *block, room *cell) cell {
	t := l.table(b.namespace)
	if t.one > 0 {
		return uniform[t.one]
	}
	all := slices.Grow((*room)[:0], b.len())[:b.len()]
	for i, set := range b.labels {
		all[i] = t.by[l.answers[set]]
	}
	*room = all
	return all
}

// looksUp reports whether the endings depend on namespaces and labels alone, as they do with
// most objectSelectors, and returns the memo of the layer that looks at labels, if there is
// one.
func (r *rowPlan) looksUp() (labels *memo, ok bool) {
	if len(r.objects) == 0 {
		return nil, true
	}
	if len(r.objects) > 1 || r.objects[0].last || r.objects[0].first.whole == nil {
		return nil, false
	}
	m := r.objects[0].first.whole
	return m, m.dense() && m.in.labels != nil
}

// lookup evaluates a row whose endings depend on namespaces and labels alone.
func (v *evaluation) lookup(ctx context.Context, rp *rowPlan, labels *memo, r, was *rowResult, d *rowDiff) error {
	l := &lookup{}
	answers := 1
	var err error
	if labels != nil {
		if l.answers, answers, err = labels.answers(ctx, v.w); err != nil {
			return err
		}
	}
	if l.places, err = v.places(ctx, rp, r, was, d); err != nil {
		return err
	}
	l.tables = rp.tablesFor(answers)
	r.lookup = l
	return nil
}

// table makes the endings for each answer of the only layer that looks at labels.
func (r *rowPlan) table(so steps, answers int) endingsBy {
	if len(r.objects) == 0 {
		return endingsBy{one: r.ending(so)}
	}
	t := endingsBy{by: make([]uint8, answers)}
	lp := r.objects[0]
	for answer := 1; answer < answers; answer++ {
		so[lp.index] = r.step(lp, lp.first, uint32(answer))
		t.by[answer] = r.ending(so)
	}
	if answers > 1 && !slices.ContainsFunc(t.by[1:], func(e uint8) bool { return e != t.by[1] }) {
		t.one = t.by[1]
	}
	return t
}

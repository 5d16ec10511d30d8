package coverage

import "slices"

// rowDiff says which blocks of a resource were there before.
type rowDiff struct {
	// was is the place that a block had, or -1; fresh are the places of blocks that have to be
	// evaluated, gone those that blocks had that are no more.
	was         []int32
	fresh, gone []int32
	// moved says that some block that was there before has another place now, rereads that
	// blocks have to be evaluated again that were there before.
	moved, rereads bool
}

// diff compares the population with the last one.
func (u *update) diff() {
	u.diffs = make([]*rowDiff, len(u.pop.rows))
	rows := len(u.pop.rows)
	if u.last != nil {
		rows = max(rows, len(u.last.rows))
	}
	for id := range rows {
		u.all = append(u.all, id)
		if id >= len(u.pop.rows) || u.pop.rows[id] != u.lastRow(id) {
			u.touched = append(u.touched, id)
		}
	}
	for id, now := range u.pop.rows {
		if before := u.lastRow(id); now != nil && before != nil && now != before {
			u.diffs[id] = diffOf(before, now)
		}
	}
}

func (u *update) lastRow(id int) *row {
	if u.last == nil || id >= len(u.last.rows) {
		return nil
	}
	return u.last.rows[id]
}

// diffOf compares two rows of one resource.
func diffOf(before, now *row) *rowDiff {
	d := &rowDiff{was: make([]int32, len(now.blocks))}
	places := make(map[*block]int32, len(before.blocks))
	for i, b := range before.blocks {
		places[b] = int32(i)
	}
	for i, b := range now.blocks {
		place, ok := places[b]
		if !ok {
			d.was[i], d.fresh = -1, append(d.fresh, int32(i))
			continue
		}
		d.was[i] = place
		d.moved = d.moved || int(place) != i
		delete(places, b)
	}
	for _, place := range places {
		d.gone = append(d.gone, place)
	}
	return d
}

// kept says which blocks of a resource have to be evaluated for a policy that has a result for
// it from before, or none.
func (u *update) kept(id int, was *rowResult, now *row, rereads bool) *rowDiff {
	d := u.diffs[id]
	switch {
	case was == nil:
		return u.once(diffKey{id, fromNothing}, func() *rowDiff {
			return &rowDiff{was: slices.Repeat([]int32{-1}, len(now.blocks)), fresh: numbers(len(now.blocks)), moved: true}
		})
	case rereads:
		return u.once(diffKey{id, rereading}, func() *rowDiff { return u.again(id, d, now) })
	}
	return d
}

// again adds the blocks to a difference for which facts have changed.
func (u *update) again(id int, d *rowDiff, now *row) *rowDiff {
	if d == nil {
		d = &rowDiff{was: numbers(len(now.blocks))}
	}
	again := &rowDiff{was: slices.Clone(d.was), gone: slices.Clone(d.gone), moved: d.moved, rereads: true}
	all := u.changes.params || u.e.asker(uint32(id)).namespaces
	for i, b := range now.blocks {
		if (all || u.changes.ids[b.namespace]) && again.was[i] >= 0 {
			again.gone = append(again.gone, again.was[i])
			again.was[i] = -1
		}
		if again.was[i] < 0 {
			again.fresh = append(again.fresh, int32(i))
		}
	}
	return again
}

// diffKey names a difference that many policies need.
type diffKey struct {
	resource int
	kind     diffKind
}

type diffKind uint8

const (
	fromNothing diffKind = iota
	rereading
)

// once returns a difference that is made when it is first needed. It must not be modified.
func (u *update) once(key diffKey, build func() *rowDiff) *rowDiff {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.made[key] == nil {
		if u.made == nil {
			u.made = map[diffKey]*rowDiff{}
		}
		u.made[key] = build()
	}
	return u.made[key]
}

// numbers are those below n.
func numbers(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

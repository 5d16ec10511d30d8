package coverage

// counting counts the objects of a row in its tally and in their namespaces.
type counting struct {
	v       *evaluation
	tally   []int32
	applies bool
	// outcomes are those of the endings.
	outcomes []kind
}

// add counts objects of one namespace with one ending; a negative number takes them away.
func (c *counting) add(namespace uint32, ending uint8, n int32) {
	c.tally[ending] += n
	if c.applies {
		c.v.space(namespace).add(c.outcomes[ending], n)
	}
}

// counting begins to count the objects of a row, from what was counted before.
func (v *evaluation) counting(applies bool, tally []int32) *counting {
	outcomes := v.result.plan.outcomes
	room := make([]int32, len(outcomes))
	copy(room, tally)
	v.counts = counting{v: v, tally: room, applies: applies, outcomes: outcomes}
	return &v.counts
}

// all counts all objects of a row.
func (c *counting) all(r *rowResult) {
	switch {
	case r.settled > 0:
		for _, s := range r.of.spaces() {
			c.add(s.namespace, r.settled, s.size)
		}
	case r.lookup != nil:
		c.looked(r)
	default:
		for i := range r.of.blocks {
			c.block(r, i, 1)
		}
	}
}

// looked counts all objects of a row by what their labels came to. Most have the same answer,
// so that only the others are counted one by one.
func (c *counting) looked(r *rowResult) {
	w, l, runs := c.v.w, r.lookup, r.of.spaces()
	if l.answers == nil {
		for _, s := range runs {
			c.add(s.namespace, l.table(s.namespace).one, s.size)
		}
		return
	}
	x := r.of.bySet(len(l.answers))
	most, known := l.most(x, w)
	// few has the objects of each run by answer.
	few := grow(&w.few, len(runs)*known)
	for i, set := range x.sets {
		if answer := l.answers[set]; answer != most {
			for _, run := range x.runs[x.starts[i]:x.starts[i+1]] {
				few[int(run)*known+int(answer)]++
			}
		}
	}
	for i, s := range runs {
		t, mine, left := l.table(s.namespace), few[i*known:i*known+known], s.size
		if t.one > 0 {
			c.add(s.namespace, t.one, s.size)
			clear(mine)
			continue
		}
		for answer, n := range mine {
			if n > 0 {
				c.add(s.namespace, t.by[answer], n)
				mine[answer], left = 0, left-n
			}
		}
		if left > 0 {
			c.add(s.namespace, t.by[most], left)
		}
	}
}

// most returns the answer that most objects of a row have, and one more than the highest that
// any has.
func (l *lookup) most(x *setIndex, w *worker) (most uint8, known int) {
	seen := grow(&w.tally, 256)
	for i, set := range x.sets {
		seen[l.answers[set]] += x.starts[i+1] - x.starts[i]
	}
	for answer, n := range seen {
		if n == 0 {
			continue
		}
		known = answer + 1
		if most == 0 || n > seen[most] {
			most = uint8(answer)
		}
	}
	clear(seen[:known])
	return most, known
}

// block counts the objects of a block, or takes them away.
func (c *counting) block(r *rowResult, i int, sign int32) {
	b, endings := r.of.blocks[i], r.cell(i, &c.v.w.room)
	if len(endings) == 1 {
		c.add(b.namespace, endings[0], sign*int32(b.len()))
		return
	}
	seen := grow(&c.v.w.tally, len(c.tally))
	for _, ending := range endings {
		seen[ending]++
	}
	for ending, n := range seen {
		if n > 0 {
			c.add(b.namespace, uint8(ending), sign*n)
			seen[ending] = 0
		}
	}
}

// grow returns room for numbers, which is all zero and has to be left so.
func grow(room *[]int32, n int) []int32 {
	if missing := n - len(*room); missing > 0 {
		*room = append(*room, make([]int32, missing)...)
	}
	return (*room)[:n]
}

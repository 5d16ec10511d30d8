package coverage

import (
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// Reach says how many objects meet any policy at all.
type Reach struct {
	// Reached is the number of objects that some policy includes, or fails for; Unknown of
	// those that no policy certainly reaches, but some may; Unreached of the rest.
	Reached, Unknown, Unreached int
}

func (r Reach) plus(s Reach) Reach {
	return Reach{r.Reached + s.Reached, r.Unknown + s.Unknown, r.Unreached + s.Unreached}
}

// reach is the Reach of each block of each resource, with a mark for each object.
type reach struct {
	rows   [][]marks
	total  Reach
	spaces map[uint32]Reach
	// resources are by number.
	resources []Reach
}

// marks are the marks of the objects of a block.
type marks []uint8

const (
	unreached uint8 = iota
	perhaps
	reached
)

// findReach joins the endings of all policies.
func (r *Result) findReach() *reach {
	all := &reach{rows: make([][]marks, len(r.pop.rows)), spaces: map[uint32]Reach{}, resources: make([]Reach, len(r.pop.rows))}
	var room cell
	marksOf := make([][]uint8, len(r.policies))
	for i, p := range r.policies {
		for _, e := range p.plan.endings.all() {
			marksOf[i] = append(marksOf[i], markOf(e.Outcome))
		}
	}
	for id, row := range r.pop.rows {
		if row == nil {
			continue
		}
		all.rows[id] = make([]marks, len(row.blocks))
		for at, b := range row.blocks {
			m := r.marks(id, at, b, marksOf, &room)
			all.rows[id][at] = m
			sum := m.sum()
			all.total, all.resources[id], all.spaces[b.namespace] = all.total.plus(sum), all.resources[id].plus(sum), all.spaces[b.namespace].plus(sum)
		}
	}
	return all
}

func markOf(o scope.Outcome) uint8 {
	switch o {
	case scope.Included, scope.Error:
		return reached
	case scope.Unknown:
		return perhaps
	}
	return unreached
}

// marks marks the objects of a block.
func (r *Result) marks(id, at int, b *block, marksOf [][]uint8, room *cell) marks {
	m := make(marks, b.len())
	for i, p := range r.policies {
		c := p.rows[id].cell(at, room)
		if len(c) == 1 {
			mark := marksOf[i][c[0]]
			for j := range m {
				m[j] = max(m[j], mark)
			}
			if mark == reached {
				return m
			}
			continue
		}
		for j, ending := range c {
			m[j] = max(m[j], marksOf[i][ending])
		}
	}
	return m
}

func (m marks) sum() Reach {
	var sum Reach
	for _, mark := range m {
		switch mark {
		case reached:
			sum.Reached++
		case perhaps:
			sum.Unknown++
		default:
			sum.Unreached++
		}
	}
	return sum
}

// Reach says how many objects meet any policy.
func (r *Result) Reach() Reach { return r.reach().total }

// ReachIn says it of a namespace, ReachOf of a resource.
func (r *Result) ReachIn(namespace string) Reach {
	id, ok := r.pop.tables.namespaces.find(namespace)
	if !ok {
		return Reach{}
	}
	return r.reach().spaces[id]
}

// ReachOf says how many objects of a resource meet any policy.
func (r *Result) ReachOf(resource schema.GroupVersionResource) Reach {
	id, ok := r.pop.tables.resources.find(resource)
	if all := r.reach().resources; ok && int(id) < len(all) {
		return all[id]
	}
	return Reach{}
}

// Unreached goes through the objects that no policy reaches.
func (r *Result) Unreached() iter.Seq[Object] {
	return func(yield func(Object) bool) {
		rows := r.reach().rows
		for _, resource := range r.pop.Resources() {
			id, _ := r.pop.tables.resources.find(resource)
			for at, b := range r.pop.rows[id].blocks {
				for i, mark := range rows[id][at] {
					if mark == unreached && !yield(r.pop.object(resource, b, i)) {
						return
					}
				}
			}
		}
	}
}

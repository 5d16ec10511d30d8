package coverage

import (
	"context"
	"iter"
	"sync"

	"github.com/ambit-k8s/ambit/scope"
)

// identity tells policies apart by what they were compiled from: a policy that is compiled
// anew from the same objects is the same policy.
type identity struct {
	id                      string
	phase                   scope.Phase
	source, binding, beside any
	policy                  *scope.Policy
}

func identityOf(p *scope.Policy) identity {
	i := identity{id: p.ID(), phase: p.Phase, source: p.Source, binding: p.BindingSource, beside: p.Beside}
	if p.Source == nil && p.BindingSource == nil {
		i.policy = p
	}
	return i
}

// update is one evaluation.
type update struct {
	e       *Evaluator
	pop     *Population
	last    *Population
	changes *changes
	diffs   []*rowDiff
	// touched are the resources of which there are other objects than before.
	touched []int

	mu  sync.Mutex
	all map[int]*rowDiff

	before  []*policyResult
	results []*policyResult
}

// rowDiff says which blocks of a resource were there before.
type rowDiff struct {
	// was is the place that a block had, or -1; gone are the places of blocks that are no more.
	was  []int32
	gone []int32
	// moved says that some block that was there before has another place now.
	moved bool
}

// diff compares the population with the last one.
func (u *update) diff() {
	u.diffs = make([]*rowDiff, len(u.pop.rows))
	if u.last != nil {
		for id := range max(len(u.pop.rows), len(u.last.rows)) {
			if id >= len(u.pop.rows) || u.pop.rows[id] != u.lastRow(id) {
				u.touched = append(u.touched, id)
			}
		}
	}
	for id, now := range u.pop.rows {
		before := u.lastRow(id)
		if now == nil || before == nil || now == before {
			continue
		}
		d := &rowDiff{was: make([]int32, len(now.blocks))}
		places := make(map[*block]int32, len(before.blocks))
		for i, b := range before.blocks {
			places[b] = int32(i)
		}
		for i, b := range now.blocks {
			d.was[i] = -1
			if place, ok := places[b]; ok {
				d.was[i] = place
				d.moved = d.moved || int(place) != i
				delete(places, b)
			}
		}
		for _, place := range places {
			d.gone = append(d.gone, place)
		}
		u.diffs[id] = d
	}
}

func (u *update) lastRow(id int) *row {
	if u.last == nil || id >= len(u.last.rows) {
		return nil
	}
	return u.last.rows[id]
}

// choose finds for each policy what is known of it.
func (u *update) choose(last *Result, policies []*scope.Policy) {
	var known map[identity][]*policyResult
	for _, p := range policies {
		if p.Phase == scope.FlowControl {
			continue
		}
		var before *policyResult
		if i := len(u.results); last != nil && i < len(last.policies) && last.policies[i].policy == p {
			before = last.policies[i]
		} else if last != nil {
			if known == nil {
				known = last.byIdentity()
			}
			id := identityOf(p)
			if all := known[id]; len(all) > 0 {
				before, known[id] = all[0], all[1:]
			}
		}
		result := &policyResult{policy: p}
		if before != nil {
			result.plan = before.plan
		} else {
			result.plan = newPlan(u.e, p)
		}
		u.before, u.results = append(u.before, before), append(u.results, result)
	}
}

// byIdentity lists what became of the policies by what they were compiled from.
func (r *Result) byIdentity() map[identity][]*policyResult {
	known := make(map[identity][]*policyResult, len(r.policies))
	for _, p := range r.policies {
		id := identityOf(p.policy)
		known[id] = append(known[id], p)
	}
	return known
}

func (u *update) run(ctx context.Context) error {
	return each(ctx, len(u.results), func(ctx context.Context, w *worker, i int) error {
		return u.policy(ctx, w, u.results[i], u.before[i])
	}, u.pop)
}

// rereads reports whether some layer reads what has changed.
func (r *rowPlan) rereads(c *changes) bool {
	if !c.any() {
		return false
	}
	for m := range r.memos() {
		if m.in.params && c.params || m.in.object && c.namespaces() {
			return true
		}
	}
	return false
}

// memos goes through what is remembered of a policy's layers.
func (r *rowPlan) memos() iter.Seq[*memo] {
	return func(yield func(*memo) bool) {
		for _, layers := range [][]*layerPlan{r.spaces, r.objects} {
			for _, lp := range layers {
				for _, a := range lp.versions {
					for _, m := range a.memos() {
						if !yield(m) {
							return
						}
					}
				}
			}
		}
	}
}

// forget drops what a change makes worthless.
func (p *plan) forget(c *changes) {
	if !c.any() {
		return
	}
	clear(p.spaces)
	for _, r := range p.rows {
		if r == nil {
			continue
		}
		for m := range r.memos() {
			m.forget(c)
		}
	}
}

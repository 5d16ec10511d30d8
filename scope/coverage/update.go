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
	// all are the resources of which there are objects, or were; touched those of which there
	// are other objects than before.
	all, touched []int

	mu sync.Mutex
	// made are differences that many policies need.
	made map[diffKey]*rowDiff

	before  []*policyResult
	results []*policyResult
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

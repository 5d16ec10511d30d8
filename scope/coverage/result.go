package coverage

import (
	"iter"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// Result is what became of every object of a population under every policy. It does not
// change, and is safe for concurrent use. Policies are numbered in the order in which they
// were given, FlowSchemas left out.
type Result struct {
	pop       *Population
	facts     *scope.Facts
	ask       Ask
	policies  []*policyResult
	evaluator *Evaluator

	reach func() *reach
}

func newResult(u *update, facts *scope.Facts) *Result {
	r := &Result{pop: u.pop, facts: facts, ask: u.e.ask, policies: u.results, evaluator: u.e}
	r.reach = sync.OnceValue(r.findReach)
	return r
}

// Population returns the objects that were asked about.
func (r *Result) Population() *Population { return r.pop }

// Ask returns what was asked about them.
func (r *Result) Ask() Ask { return r.ask }

// Len returns the number of policies.
func (r *Result) Len() int { return len(r.policies) }

// Policy returns a policy.
func (r *Result) Policy(i int) *scope.Policy { return r.policies[i].policy }

// Index finds a policy by its ID; -1 if there is none.
func (r *Result) Index(id string) int {
	return slices.IndexFunc(r.policies, func(p *policyResult) bool { return p.policy.ID() == id })
}

// Total counts all objects under a policy.
func (r *Result) Total(policy int) Counts {
	var sum Counts
	for _, page := range r.policies[policy].spaces {
		for _, c := range page {
			sum = sum.plus(c)
		}
	}
	return sum
}

// In counts the objects of a namespace under a policy; the empty namespace has the objects
// that are in none.
func (r *Result) In(policy int, namespace string) Counts {
	id, ok := r.pop.tables.namespaces.find(namespace)
	if spaces := r.policies[policy].spaces; ok && int(id) < spaces.len() {
		return *spaces.at(int(id))
	}
	return Counts{}
}

// Of counts the objects of a resource under a policy.
func (r *Result) Of(policy int, resource schema.GroupVersionResource) Counts {
	row := r.row(policy, resource)
	if row == nil || !row.applies {
		return Counts{}
	}
	var c Counts
	for ending, n := range row.endings() {
		c.add(kindOf(r.ending(policy, uint8(ending)).Outcome), n)
	}
	return c
}

func (r *Result) row(policy int, resource schema.GroupVersionResource) *rowResult {
	id, ok := r.pop.tables.resources.find(resource)
	if rows := r.policies[policy].rows; ok && int(id) < len(rows) {
		return rows[id]
	}
	return nil
}

func (r *Result) ending(policy int, number uint8) scope.Ending {
	return r.policies[policy].plan.endings.get(uint32(number))
}

// Drop is how many applicable objects remain after a layer, and how many fell out at it.
type Drop struct {
	Layer     scope.LayerName
	Remaining int
	Fallen    int
}

// Funnel follows the applicable objects through the layers of a policy in the order in
// which they are shown. What remains in the end was included, failed, or is not known.
func (r *Result) Funnel(policy int) []Drop {
	p := r.policies[policy]
	fallen := make([]int, len(p.policy.Layers))
	for _, row := range p.rows {
		if row == nil || !row.applies {
			continue
		}
		for number, n := range row.endings() {
			if e := r.ending(policy, uint8(number)); e.Outcome == scope.Excluded {
				fallen[e.Layer] += int(n)
			}
		}
	}
	remaining := int(r.Total(policy).Applicable)
	drops := make([]Drop, len(fallen))
	for i, layer := range p.policy.Layers {
		remaining -= fallen[i]
		drops[i] = Drop{Layer: layer.Name(), Remaining: remaining, Fallen: fallen[i]}
	}
	return drops
}

// At returns how a policy ends for one object; false if there is no such object.
func (r *Result) At(policy int, resource schema.GroupVersionResource, namespace, name string) (scope.Ending, bool) {
	at, b, i := r.pop.locate(resource, namespace, name)
	if b == nil {
		return scope.Ending{}, false
	}
	return r.ending(policy, r.row(policy, resource).cell(at, &cell{}).at(i)), true
}

// Which chooses objects under one policy. What is zero chooses all.
type Which struct {
	Outcome   scope.Outcome
	Layer     scope.LayerName
	Resource  *schema.GroupVersionResource
	Namespace *string
	// NotApplicable brings in the objects whose resource no rule of the policy names.
	NotApplicable bool
}

// Objects goes through the objects under a policy, by resource, namespace and name, each
// with its ending.
func (r *Result) Objects(policy int, w Which) iter.Seq2[Object, scope.Ending] {
	return func(yield func(Object, scope.Ending) bool) {
		r.walk(policy, w, func(f found) bool {
			return yield(r.pop.object(f.resource, f.block, f.i), f.ending)
		})
	}
}

// found is an object on a walk.
type found struct {
	id       int
	resource schema.GroupVersionResource
	block    *block
	i        int
	ending   scope.Ending
}

// walk visits objects under a policy until visit says to stop.
func (r *Result) walk(policy int, w Which, visit func(found) bool) {
	var room cell
	for _, resource := range r.pop.Resources() {
		row := r.row(policy, resource)
		if row == nil || !row.applies && !w.NotApplicable || w.Resource != nil && *w.Resource != resource {
			continue
		}
		id, _ := r.pop.tables.resources.find(resource)
		wanted := make([]bool, 256)
		for number, e := range r.policies[policy].plan.endings.all() {
			wanted[number] = (w.Outcome == "" || e.Outcome == w.Outcome) && (w.Layer == "" || e.DecidedBy == w.Layer)
		}
		for at, b := range row.of.blocks {
			c := row.cell(at, &room)
			if len(c) == 1 && !wanted[c[0]] || w.Namespace != nil && r.pop.tables.namespaces.get(b.namespace) != *w.Namespace {
				continue
			}
			for i := range b.names {
				if number := c.at(i); wanted[number] && !visit(found{int(id), resource, b, i, r.ending(policy, number)}) {
					return
				}
			}
		}
	}
}

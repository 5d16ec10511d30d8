package coverage

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// Group is objects of one resource that one layer of a policy decided about for the same
// reason.
type Group struct {
	Resource schema.GroupVersionResource
	// Ending is how the policy ends for them.
	Ending scope.Ending
	// Reason is the requirement that decided, beside what was observed.
	Reason  scope.Reason
	Objects int
	// Unlabelled is how many of them have no labels at all.
	Unlabelled int
	// Example is one of them.
	Example Object

	result *Result
	policy int
	keys   map[groupKey]bool
}

// groupKey is what a layer sees of an object.
type groupKey struct {
	resource int
	ending   scope.Ending
	space    uint32
	input    input
	// answers has a number for each combination of answers to the questions of a layer.
	answers uint32
}

// maxExplained bounds the distinct inputs of a layer that are explained. The objects
// beyond it are in groups without a reason.
const maxExplained = 2000

// Groups says why a layer of a policy decided as it did about the objects that it decided
// about: excluded ones, and those for which it failed or which it left open. The largest
// groups come first.
func (r *Result) Groups(ctx context.Context, policy int, layer scope.LayerName) ([]Group, error) {
	keys := map[groupKey]*Group{}
	var order []groupKey
	r.evaluator.mu.Lock()
	defer r.evaluator.mu.Unlock()
	keyOf := r.keys(ctx, policy, layer)
	r.walk(policy, Which{Layer: layer}, func(f found) bool {
		key := keyOf(f)
		g := keys[key]
		if g == nil {
			g = &Group{Resource: f.resource, Ending: f.ending, Example: r.pop.object(f.resource, f.block, f.i), result: r, policy: policy, keys: map[groupKey]bool{key: true}}
			keys[key] = g
			order = append(order, key)
		}
		g.Objects++
		if f.block.labels[f.i] == 0 {
			g.Unlabelled++
		}
		return ctx.Err() == nil
	})
	slices.SortStableFunc(order, func(a, b groupKey) int { return cmp.Compare(keys[b].Objects, keys[a].Objects) })
	type same struct {
		resource schema.GroupVersionResource
		ending   scope.Ending
		field    string
		got      string
	}
	joined := map[same]*Group{}
	var groups []*Group
	for n, key := range order {
		g := keys[key]
		if n < maxExplained && ctx.Err() == nil {
			g.Reason = r.reason(ctx, policy, g.Example, g.Ending)
		}
		as := same{g.Resource, g.Ending, g.Reason.Field, g.Reason.Got + g.Reason.Message}
		if known := joined[as]; known != nil {
			known.Objects += g.Objects
			known.Unlabelled += g.Unlabelled
			known.keys[key] = true
			continue
		}
		joined[as] = g
		groups = append(groups, g)
	}
	slices.SortStableFunc(groups, func(a, b *Group) int { return cmp.Compare(b.Objects, a.Objects) })
	all := make([]Group, len(groups))
	for i, g := range groups {
		all[i] = *g
	}
	return all, ctx.Err()
}

// Members goes through the objects of a group.
func (g Group) Members(ctx context.Context) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		r := g.result
		r.evaluator.mu.Lock()
		keyOf := r.keys(ctx, g.policy, g.Ending.DecidedBy)
		var members []found
		r.walk(g.policy, Which{Layer: g.Ending.DecidedBy, Resource: &g.Resource}, func(f found) bool {
			if g.keys[keyOf(f)] {
				members = append(members, f)
			}
			return ctx.Err() == nil
		})
		r.evaluator.mu.Unlock()
		for _, f := range members {
			if !yield(r.pop.object(f.resource, f.block, f.i)) {
				return
			}
		}
	}
}

// keys returns the function that says what a layer sees of an object.
func (r *Result) keys(ctx context.Context, policy int, layer scope.LayerName) func(found) groupKey {
	p, w := r.policies[policy], newWorker(r.pop)
	return func(f found) groupKey {
		key := groupKey{resource: f.id, ending: f.ending}
		plan := p.plan.at(f.id)
		if plan == nil {
			return key
		}
		for _, lp := range append(slices.Clip(plan.spaces), plan.objects...) {
			if lp.layer.Name() != layer {
				continue
			}
			for _, a := range lp.versions {
				if a.whole != nil {
					key.space, key.input = a.whole.seen(r.pop, f.block, int32(f.i))
					return key
				}
				for _, m := range a.parts {
					var answer [1]uint32
					if m.fill(ctx, w, f.block, []int32{int32(f.i)}, answer[:]) != nil {
						return key
					}
					key.answers = a.join.add(key.answers, answer[0])
				}
				return key
			}
		}
		return key
	}
}

// reason explains one object, and returns the reason that agrees with what the layer said.
func (r *Result) reason(ctx context.Context, policy int, o Object, e scope.Ending) scope.Reason {
	p := r.policies[policy]
	_, b, i := r.pop.locate(o.Resource, o.Namespace, o.Name)
	request := r.request([]*policyResult{p}, o, b, i, true)
	traces, err := scope.NewSet([]*scope.Policy{p.policy}).Explain(ctx, request, r.facts)
	if err != nil || len(traces) != 1 {
		return scope.Reason{}
	}
	said := map[scope.Outcome]scope.StepOutcome{scope.Excluded: scope.NoMatch, scope.Error: scope.Failed, scope.Unknown: scope.Open}[e.Outcome]
	reasons := traces[0].Reasons(ctx, e.Layer)
	for _, reason := range reasons {
		if reason.Outcome == said {
			return reason
		}
	}
	if len(reasons) > 0 {
		return reasons[0]
	}
	return scope.Reason{}
}

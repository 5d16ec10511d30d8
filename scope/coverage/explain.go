package coverage

import (
	"context"
	"fmt"
	"slices"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ambit-k8s/ambit/scope"
)

// Request returns the request that was asked about an object of the population. What
// policies look at and nobody read is open in it.
func (r *Result) Request(o Object) (*scope.Request, error) {
	_, b, i := r.pop.locate(o.Resource, o.Namespace, o.Name)
	if b == nil {
		return nil, noSuch(o)
	}
	r.evaluator.mu.Lock()
	defer r.evaluator.mu.Unlock()
	return r.request(r.policies, r.pop.object(o.Resource, b, i), b, i, true), nil
}

// Explain explains an object under every policy, in the order of the policies. The traces end
// as At says.
//
// One request serves all policies in most cases. But it has what any of them reads of the
// object, and what any of them reads and is not known is open in it, while the layers of a
// policy each see their own part. Where that leads to another ending, the policy is explained
// by requests that have less in common with others.
func (r *Result) Explain(ctx context.Context, o Object) ([]*scope.Trace, error) {
	at, b, i := r.pop.locate(o.Resource, o.Namespace, o.Name)
	if b == nil {
		return nil, noSuch(o)
	}
	o = r.pop.object(o.Resource, b, i)
	policies := make([]*scope.Policy, len(r.policies))
	for k, p := range r.policies {
		policies[k] = p.policy
	}
	explain := func(from, to int, shared bool) ([]*scope.Trace, error) {
		r.evaluator.mu.Lock()
		request := r.request(r.policies[from:to], o, b, i, shared)
		r.evaluator.mu.Unlock()
		return scope.NewSet(policies[from:to]).Explain(ctx, request, r.facts)
	}
	traces, err := explain(0, len(policies), true)
	if err != nil {
		return nil, err
	}
	for k, trace := range traces {
		n := slices.Index(policies, trace.Policy)
		want := r.ending(n, r.row(n, o.Resource).cell(at, &cell{}).at(i))
		for _, shared := range []bool{true, false} {
			if endsAs(traces[k], want) {
				break
			}
			own, err := explain(n, n+1, shared)
			if err != nil {
				return nil, err
			}
			traces[k] = own[0]
		}
	}
	return traces, nil
}

func endsAs(t *scope.Trace, e scope.Ending) bool {
	return t.Outcome == e.Outcome && t.DecidedBy == e.DecidedBy && t.Effect == e.Effect
}

func noSuch(o Object) error {
	return fmt.Errorf("there is no %s %q in namespace %q", o.Resource.Resource, o.Name, o.Namespace)
}

// request makes the request for an object as some policies see it. Shared says that what is
// known of an object is there also if one of them looks at it as a whole, and the whole is not
// known. It looks at plans, which an evaluation may be changing.
func (r *Result) request(policies []*policyResult, o Object, b *block, i int, shared bool) *scope.Request {
	s := subject{namespace: o.Namespace, name: o.Name, labels: o.Labels, shared: shared}
	id, _ := r.pop.tables.resources.find(o.Resource)
	merged := map[string]any{}
	seen := map[int]bool{}
	for _, p := range policies {
		plan := p.plan.at(int(id))
		if plan == nil {
			continue
		}
		for m := range plan.memos() {
			if m.in.column < 0 || seen[m.in.column] {
				continue
			}
			seen[m.in.column] = true
			value := valueOf(r.pop, b.contents[i], m.in.column)
			if value == 0 {
				if s.missing == nil {
					s.missing = &scope.Part{}
				}
				s.missing.Add(m.in.content)
				continue
			}
			var part map[string]any
			if err := kjson.Unmarshal([]byte(r.pop.tables.values.get(value-1)), &part); err == nil {
				merged = merge(merged, part).(map[string]any)
			}
		}
	}
	if len(merged) > 0 {
		if data, err := appendJSON(nil, merged); err == nil {
			s.content = string(data)
		}
	}
	a := newAsker(r.ask, r.facts, o.Resource)
	s.gaps = a.gaps
	return a.request(s)
}

// merge joins two prunings of one value.
func merge(a, b any) any {
	switch b := b.(type) {
	case map[string]any:
		if a, ok := a.(map[string]any); ok {
			for name, value := range b {
				if known, ok := a[name]; ok {
					value = merge(known, value)
				}
				a[name] = value
			}
			if len(a) > 1 {
				delete(a, filler)
			}
			return a
		}
	case []any:
		if a, ok := a.([]any); ok {
			if len(a) > len(b) {
				return a
			}
			for i := range a {
				b[i] = merge(a[i], b[i])
			}
		}
	}
	if isStandIn(b) {
		return a
	}
	return b
}

// isStandIn reports whether a value may stand for others at which nobody looked: prunings of
// one value differ in nothing else.
func isStandIn(v any) bool {
	switch v {
	case nil, filler, "", false, int64(0), float64(0):
		return true
	}
	return false
}

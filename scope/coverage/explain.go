package coverage

import (
	"context"
	"fmt"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ambit-k8s/ambit/scope"
)

// Request returns the request that was asked about an object of the population. What
// policies look at and nobody read is open in it.
func (r *Result) Request(o Object) (*scope.Request, error) {
	_, b, i := r.pop.locate(o.Resource, o.Namespace, o.Name)
	if b == nil {
		return nil, fmt.Errorf("there is no %s %q in namespace %q", o.Resource.Resource, o.Name, o.Namespace)
	}
	r.evaluator.mu.Lock()
	defer r.evaluator.mu.Unlock()
	return r.request(r.policies, r.pop.object(o.Resource, b, i), b, i), nil
}

// Explain explains an object under every policy, in the order of the policies.
func (r *Result) Explain(ctx context.Context, o Object) ([]*scope.Trace, error) {
	request, err := r.Request(o)
	if err != nil {
		return nil, err
	}
	policies := make([]*scope.Policy, len(r.policies))
	for i, p := range r.policies {
		policies[i] = p.policy
	}
	return scope.NewSet(policies).Explain(ctx, request, r.facts)
}

// request makes the request for an object as some policies see it. It looks at plans, which
// an evaluation may be changing.
func (r *Result) request(policies []*policyResult, o Object, b *block, i int) *scope.Request {
	s := subject{namespace: o.Namespace, name: o.Name, labels: o.Labels, shared: true}
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
	return newAsker(r.ask, r.facts, o.Resource).request(s)
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
	case string:
		if b == filler {
			return a
		}
	}
	return b
}

package review

import (
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ambit-k8s/ambit/scope"
)

// scopeFields are the fields that say for which requests a policy is, and entryFields those of
// a webhook, with its name. All other fields say what is done with them.
var (
	scopeFields = []string{"matchConstraints", "matchResources", "matchConditions", "policyName"}
	entryFields = []string{"name", "rules", "matchPolicy", "namespaceSelector", "objectSelector", "matchConditions"}
)

// deeds is what a policy does with the requests that it sees.
type deeds struct {
	kind, namespace string
	policy, binding any
}

func deedsOf(p *scope.Policy) (deeds, bool) {
	d := deeds{kind: p.Kind, namespace: p.Namespace}
	source, ok := contentOf(p.Source)
	if !ok {
		return d, false
	}
	if entries, found, _ := unstructured.NestedSlice(source, "webhooks"); found {
		d.policy = without(entryOf(entries, p.Entry), entryFields)
		return d, d.policy != nil
	}
	spec, _, _ := unstructured.NestedMap(source, "spec")
	d.policy = without(spec, scopeFields)
	if p.BindingSource == nil {
		return d, true
	}
	binding, ok := contentOf(p.BindingSource)
	spec, _, _ = unstructured.NestedMap(binding, "spec")
	d.binding = without(spec, scopeFields)
	return d, ok
}

func contentOf(source any) (map[string]any, bool) {
	switch s := source.(type) {
	case *unstructured.Unstructured:
		return s.Object, true
	case runtime.Object:
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s)
		return content, err == nil
	}
	return nil, false
}

func entryOf(entries []any, name string) map[string]any {
	for _, e := range entries {
		if one, ok := e.(map[string]any); ok && one["name"] == name {
			return one
		}
	}
	return nil
}

func without(m map[string]any, fields []string) any {
	if m == nil {
		return nil
	}
	for _, f := range fields {
		delete(m, f)
	}
	return m
}

// stand returns a policy that is proven to see every request that this one sees, and to do the
// same with it; nil if there is none.
func stand(in Input, p *scope.Policy, others []*scope.Policy) *scope.Policy {
	does, ok := deedsOf(p)
	if !ok {
		return nil
	}
	for _, o := range others {
		if o.Kind != p.Kind || o.Namespace != p.Namespace {
			continue
		}
		if d, ok := deedsOf(o); !ok || !reflect.DeepEqual(d, does) {
			continue
		}
		within := true
		for _, c := range (&pair{in, o, p}).compare() {
			within = within && c.within
		}
		if within {
			return o
		}
	}
	return nil
}

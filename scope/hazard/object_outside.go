package hazard

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// outside counts the objects that a policy names and that a part of an objectSelector
// keeps out although their namespace passes. Where rules go by names it is not known: a
// query does not see these.
func (r *run) outside(v *view, p *part, kept func(labels.Set) bool) *int {
	if v.goesByName() {
		return nil
	}
	resources := map[schema.GroupVersionResource]bool{}
	for _, at := range v.reach() {
		if at.Subresource == "" {
			resources[at.GroupVersionResource] = true
		}
	}
	extent := p.object.Selector.Extent()
	return r.count(Query{
		Resource:  func(gvr schema.GroupVersionResource) bool { return resources[gvr] },
		Namespace: func(name string) (in, known bool) { return r.passesNamespace(v, name) },
		Labels:    func(set labels.Set) bool { return !extent.Has(set) && kept(set) },
	})
}

// goesByName reports whether some rule of the policy is for some names only.
func (v *view) goesByName() bool {
	named := func(rule v1.NamedRuleWithOperations) bool { return len(rule.ResourceNames) > 0 }
	return slices.ContainsFunc(v.parts(), func(p *part) bool {
		return slices.ContainsFunc(p.rules.Rules, named) || slices.ContainsFunc(p.rules.Exclude, named)
	})
}

// passesNamespace reports whether a namespace passes the policy's selectors. Of one that
// nobody gave no label is known but the one that the API server writes itself, and that may
// be enough.
func (r *run) passesNamespace(v *view, name string) (passes, known bool) {
	selects := v.selects().Namespace
	if name == "" || selects.Everything() {
		return true, true
	}
	ns, presence := r.namespace(name)
	switch presence {
	case scope.Present:
		return selects.Has(ns.Labels), true
	case scope.Absent:
		return false, true
	}
	possible := selector.Everything()
	if r.labelsNamespaces() {
		possible = possible.With(labels.Set{corev1.LabelMetadataName: name})
	}
	passes = possible.Implies(selects)
	return passes, passes || possible.Disjoint(selects)
}

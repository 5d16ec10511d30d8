package hazard

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

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
	whole := slices.DeleteFunc(slices.Clone(v.reach()), func(at *reached) bool { return at.Subresource != "" })
	extent := p.object.Selector.Extent()
	return r.count(Query{
		Resource:  resourcesOf(whole),
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

// passesNamespace reports whether a namespace passes the policy's selectors, and those of the
// webhooks before it.
func (r *run) passesNamespace(v *view, name string) (passes, known bool) {
	selects := v.selects().Namespace
	if v.match != nil {
		selects = selects.And(v.match.Called.Namespace)
	}
	return r.inNamespaces(v, selects, name)
}

// inNamespaces reports whether a namespace passes a selector of a policy. Of one that nobody
// gave no label is known but the one that the API server writes itself, and that may be
// enough. A policy in a namespace is for this one alone.
func (r *run) inNamespaces(v *view, selects selector.Extent, name string) (passes, known bool) {
	if v.Namespace != "" && name != v.Namespace {
		return false, true
	}
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

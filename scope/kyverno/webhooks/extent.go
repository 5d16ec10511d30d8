package webhooks

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// extents are the objects that a pair of selectors lets through; everything, if a selector is absent.
func (s pair) extents() selector.Pair {
	all := selector.Pair{Namespace: selector.Everything(), Object: selector.Everything()}
	if s.namespace != nil {
		all.Namespace = selector.New(s.namespace, "").Extent()
	}
	if s.object != nil {
		all.Object = selector.New(s.object, "").Extent()
	}
	return all
}

// evaluated are the objects that the engine evaluates a policy for once Kyverno is called: what its own selectors say,
// and for a namespaced policy its namespace.
func evaluated(p *api.Policy) selector.Pair {
	match := p.Match()
	extents := pair{match.NamespaceSelector, match.ObjectSelector}.extents()
	if p.Namespace != "" {
		extents.Namespace = extents.Namespace.With(labels.Set{corev1.LabelMetadataName: p.Namespace})
	}
	return extents
}

// wanted are the objects that a policy is for: its own selectors and the ConfigMap's, both.
func (b *builder) wanted(p *api.Policy) selector.Pair {
	return evaluated(p).And(pair{b.config.NamespaceSelector, b.config.ObjectSelector}.extents())
}

// aboutSome reports whether a policy is asked about any object at all where webhook and engine let these through.
// Objects outside of namespaces pass every namespaceSelector; a namespaced policy is about none of them.
func (b *builder) aboutSome(p *api.Policy, extents selector.Pair) bool {
	if invalid(extents) {
		return true
	}
	if extents.Object.Empty() {
		return false
	}
	return !extents.Namespace.Empty() || b.outside(p)
}

// within reports whether a webhook lets through all that a policy is for.
func within(wanted, called selector.Pair) bool {
	if invalid(wanted) || invalid(called) {
		return true
	}
	return wanted.Namespace.Implies(called.Namespace) && wanted.Object.Implies(called.Object)
}

// outside reports whether the policy's rules may be about objects outside of namespaces. A Namespace is outside of
// them, but its own labels are asked for.
func (b *builder) outside(p *api.Policy) bool {
	if p.PolicyKind().Namespaced() {
		return false
	}
	var rules []v1.RuleWithOperations
	for _, r := range rulesOf(p.Spec.MatchConstraints) {
		if r.Scope == nil || *r.Scope != v1.NamespacedScope {
			rules = append(rules, r)
		}
	}
	named, known := b.namedBy(rules)
	return !known || slices.ContainsFunc(named, func(r resource.Resource) bool {
		return !r.Namespaced && r.GroupResource() != corev1.Resource("namespaces")
	})
}

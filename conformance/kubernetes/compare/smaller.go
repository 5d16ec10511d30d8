package compare

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// smallerPolicies returns policies that lack one thing each.
func smallerPolicies(p *oracle.Policies) []*oracle.Policies {
	var all []*oracle.Policies
	// with adds a copy in which a part is another one.
	with := func(change func(*oracle.Policies)) {
		smaller := p.DeepCopy()
		change(smaller)
		all = append(all, smaller)
	}
	for i, c := range p.ValidatingWebhooks {
		w := c.Webhooks[0]
		part := func(p *oracle.Policies) *v1.ValidatingWebhook { return &p.ValidatingWebhooks[i].Webhooks[0] }
		smallerConditions(w.MatchConditions, func(c []v1.MatchCondition) { with(func(p *oracle.Policies) { part(p).MatchConditions = c }) })
		smallerSelector(w.NamespaceSelector, func(s *metav1.LabelSelector) { with(func(p *oracle.Policies) { part(p).NamespaceSelector = s }) })
		smallerSelector(w.ObjectSelector, func(s *metav1.LabelSelector) { with(func(p *oracle.Policies) { part(p).ObjectSelector = s }) })
		smallerRules(w.Rules, func(r []v1.RuleWithOperations) { with(func(p *oracle.Policies) { part(p).Rules = r }) })
	}
	for i, c := range p.MutatingWebhooks {
		w := c.Webhooks[0]
		part := func(p *oracle.Policies) *v1.MutatingWebhook { return &p.MutatingWebhooks[i].Webhooks[0] }
		smallerConditions(w.MatchConditions, func(c []v1.MatchCondition) { with(func(p *oracle.Policies) { part(p).MatchConditions = c }) })
		smallerSelector(w.NamespaceSelector, func(s *metav1.LabelSelector) { with(func(p *oracle.Policies) { part(p).NamespaceSelector = s }) })
		smallerSelector(w.ObjectSelector, func(s *metav1.LabelSelector) { with(func(p *oracle.Policies) { part(p).ObjectSelector = s }) })
		smallerRules(w.Rules, func(r []v1.RuleWithOperations) { with(func(p *oracle.Policies) { part(p).Rules = r }) })
	}
	for i, policy := range p.ValidatingPolicies {
		part := func(p *oracle.Policies) *v1.ValidatingAdmissionPolicySpec { return &p.ValidatingPolicies[i].Spec }
		smallerConditions(policy.Spec.MatchConditions, func(c []v1.MatchCondition) { with(func(p *oracle.Policies) { part(p).MatchConditions = c }) })
		smallerMatch(policy.Spec.MatchConstraints, func(m *v1.MatchResources) { with(func(p *oracle.Policies) { part(p).MatchConstraints = m }) })
	}
	for i, b := range p.ValidatingBindings {
		smallerMatch(b.Spec.MatchResources, func(m *v1.MatchResources) {
			with(func(p *oracle.Policies) { p.ValidatingBindings[i].Spec.MatchResources = m })
		})
	}
	for i, policy := range p.MutatingPolicies {
		part := func(p *oracle.Policies) *v1.MutatingAdmissionPolicySpec { return &p.MutatingPolicies[i].Spec }
		smallerConditions(policy.Spec.MatchConditions, func(c []v1.MatchCondition) { with(func(p *oracle.Policies) { part(p).MatchConditions = c }) })
		smallerMatch(policy.Spec.MatchConstraints, func(m *v1.MatchResources) { with(func(p *oracle.Policies) { part(p).MatchConstraints = m }) })
	}
	return all
}

// without returns the lists that lack one element.
func without[T any](list []T) [][]T {
	var all [][]T
	for i := range list {
		all = append(all, slices.Delete(slices.Clone(list), i, i+1))
	}
	return all
}

func smallerConditions(c []v1.MatchCondition, add func([]v1.MatchCondition)) {
	for _, smaller := range without(c) {
		add(smaller)
	}
}

func smallerSelector(s *metav1.LabelSelector, add func(*metav1.LabelSelector)) {
	if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		return
	}
	if len(s.MatchLabels) > 0 {
		add(&metav1.LabelSelector{MatchExpressions: s.MatchExpressions})
	}
	for _, e := range without(s.MatchExpressions) {
		add(&metav1.LabelSelector{MatchLabels: s.MatchLabels, MatchExpressions: e})
	}
}

// smallerRules leaves at least one rule: none at all means something else.
func smallerRules[T any](rules []T, add func([]T)) {
	if len(rules) < 2 {
		return
	}
	for _, smaller := range without(rules) {
		add(smaller)
	}
}

func smallerMatch(m *v1.MatchResources, add func(*v1.MatchResources)) {
	if m == nil {
		return
	}
	change := func(f func(*v1.MatchResources)) {
		smaller := m.DeepCopy()
		f(smaller)
		add(smaller)
	}
	smallerSelector(m.NamespaceSelector, func(s *metav1.LabelSelector) { change(func(m *v1.MatchResources) { m.NamespaceSelector = s }) })
	smallerSelector(m.ObjectSelector, func(s *metav1.LabelSelector) { change(func(m *v1.MatchResources) { m.ObjectSelector = s }) })
	if len(m.ExcludeResourceRules) > 0 {
		change(func(m *v1.MatchResources) { m.ExcludeResourceRules = nil })
	}
	smallerRules(m.ResourceRules, func(r []v1.NamedRuleWithOperations) { change(func(m *v1.MatchResources) { m.ResourceRules = r }) })
}

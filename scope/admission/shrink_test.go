package admission_test

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shrink replaces a failing example by smaller ones for as long as one of them fails too.
func shrink[T any](example T, smaller func(T) []T, fails func(T) bool) T {
	for {
		i := slices.IndexFunc(smaller(example), fails)
		if i < 0 {
			return example
		}
		example = smaller(example)[i]
	}
}

// without returns the lists that lack one element.
func without[T any](list []T) [][]T {
	var all [][]T
	for i := range list {
		all = append(all, slices.Delete(slices.Clone(list), i, i+1))
	}
	return all
}

func shrinkConditions(c []v1.MatchCondition) [][]v1.MatchCondition { return without(c) }

func shrinkSelector(s *metav1.LabelSelector) []*metav1.LabelSelector {
	var all []*metav1.LabelSelector
	if len(s.MatchLabels) > 0 {
		all = append(all, &metav1.LabelSelector{MatchExpressions: s.MatchExpressions})
	}
	for _, e := range without(s.MatchExpressions) {
		all = append(all, &metav1.LabelSelector{MatchLabels: s.MatchLabels, MatchExpressions: e})
	}
	return all
}

func shrinkWebhook(w v1.ValidatingWebhook) []v1.ValidatingWebhook {
	var all []v1.ValidatingWebhook
	add := func(change func(*v1.ValidatingWebhook)) {
		c := *w.DeepCopy()
		change(&c)
		all = append(all, c)
	}
	for _, c := range shrinkConditions(w.MatchConditions) {
		add(func(w *v1.ValidatingWebhook) { w.MatchConditions = c })
	}
	for _, r := range without(w.Rules) {
		add(func(w *v1.ValidatingWebhook) { w.Rules = r })
	}
	for _, s := range shrinkSelector(w.NamespaceSelector) {
		add(func(w *v1.ValidatingWebhook) { w.NamespaceSelector = s })
	}
	for _, s := range shrinkSelector(w.ObjectSelector) {
		add(func(w *v1.ValidatingWebhook) { w.ObjectSelector = s })
	}
	return all
}

func shrinkMatch(m *v1.MatchResources) []*v1.MatchResources {
	if m == nil {
		return nil
	}
	var all []*v1.MatchResources
	add := func(change func(*v1.MatchResources)) {
		c := m.DeepCopy()
		change(c)
		all = append(all, c)
	}
	for _, r := range without(m.ResourceRules) {
		add(func(m *v1.MatchResources) { m.ResourceRules = r })
	}
	for _, r := range without(m.ExcludeResourceRules) {
		add(func(m *v1.MatchResources) { m.ExcludeResourceRules = r })
	}
	for _, s := range shrinkSelector(m.NamespaceSelector) {
		add(func(m *v1.MatchResources) { m.NamespaceSelector = s })
	}
	for _, s := range shrinkSelector(m.ObjectSelector) {
		add(func(m *v1.MatchResources) { m.ObjectSelector = s })
	}
	return all
}

package kyverno

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// pinnedTo picks, of the webhooks of a cluster whose paths name a namespaced policy, those that are for its namespace:
// a path names all policies of that name, and Kyverno pins each webhook to the namespace of its own ones. Where a
// selector contradicts itself, the webhook is still for the namespace that it is pinned to.
func pinnedTo(entries []*entry, r webhooks.Ref) []*entry {
	if r.Namespace == "" || isLegacy(r.Kind) {
		return entries
	}
	name := labels.Set{corev1.LabelMetadataName: r.Namespace}
	for _, allows := range []func(selector.Requirement) bool{
		func(one selector.Requirement) bool { return one.Matches(name) },
		func(one selector.Requirement) bool {
			return one.Operator != metav1.LabelSelectorOpIn || one.Matches(name)
		},
	} {
		var picked []*entry
		for _, e := range entries {
			byName := selector.New(e.NamespaceSelector, "").Requirements
			other := func(one selector.Requirement) bool { return one.Key == corev1.LabelMetadataName && !allows(one) }
			if !slices.ContainsFunc(byName, other) {
				picked = append(picked, e)
			}
		}
		if len(picked) > 0 {
			return picked
		}
	}
	return entries
}

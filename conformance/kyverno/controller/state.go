package controller

import (
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
)

// The names of the two configurations that follow from policies.
const (
	ValidatingName = "kyverno-resource-validating-webhook-cfg"
	MutatingName   = "kyverno-resource-mutating-webhook-cfg"
)

// State is what the controller has written.
type State struct {
	Validating *v1.ValidatingWebhookConfiguration
	Mutating   *v1.MutatingWebhookConfiguration
	// Refused are what the API server said to the last attempt to write a configuration, by its name.
	Refused map[string]string
}

// equal reports whether both states have the same webhooks. Rules of namespaced policies about images stand in the order of
// a Go map, which is another one with every attempt.
func (s *State) equal(o *State) bool {
	if s == nil || o == nil || len(s.Refused) != len(o.Refused) {
		return false
	}
	return reflect.DeepEqual(sortedValidating(s.Validating.Webhooks), sortedValidating(o.Validating.Webhooks)) &&
		reflect.DeepEqual(s.Mutating.Webhooks, o.Mutating.Webhooks)
}

func sortedValidating(webhooks []v1.ValidatingWebhook) []v1.ValidatingWebhook {
	sorted := slices.Clone(webhooks)
	for i, w := range sorted {
		if w.ClientConfig.URL != nil && strings.Contains(*w.ClientConfig.URL, "/nivpol/validate/") {
			sorted[i].Rules = SortRules(w.Rules)
		}
	}
	return sorted
}

// SortRules brings rules, and the lists in them, into an order that does not depend on the one that they had.
func SortRules(rules []v1.RuleWithOperations) []v1.RuleWithOperations {
	sorted := make([]v1.RuleWithOperations, 0, len(rules))
	for _, r := range rules {
		r = *r.DeepCopy()
		for _, list := range [][]string{r.APIGroups, r.APIVersions, r.Resources} {
			slices.Sort(list)
		}
		slices.Sort(r.Operations)
		sorted = append(sorted, r)
	}
	slices.SortFunc(sorted, func(a, b v1.RuleWithOperations) int { return strings.Compare(a.String(), b.String()) })
	return sorted
}

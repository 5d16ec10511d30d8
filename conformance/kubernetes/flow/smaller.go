package flow

import (
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// smallerSets returns sets that lack something each, those first that lack most.
func smallerSets(set *generate.Set) []*generate.Set {
	var all []*generate.Set
	with := func(change func(*generate.Set)) {
		smaller := set.DeepCopy()
		change(smaller)
		all = append(all, smaller)
	}
	for size := (len(set.Schemas) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(set.Schemas); from += size {
			with(func(s *generate.Set) { s.Schemas = slices.Delete(s.Schemas, from, min(from+size, len(s.Schemas))) })
		}
	}
	if len(set.Without) > 0 {
		with(func(s *generate.Set) { s.Without = nil })
	}
	for i, schema := range set.Schemas {
		for k := range schema.Spec.Rules {
			with(func(s *generate.Set) { s.Schemas[i].Spec.Rules = slices.Delete(s.Schemas[i].Spec.Rules, k, k+1) })
		}
		for k := range schema.Spec.Rules {
			smallerRule(&schema.Spec.Rules[k], func(rule flowcontrolv1.PolicyRulesWithSubjects) {
				with(func(s *generate.Set) { s.Schemas[i].Spec.Rules[k] = rule })
			})
		}
	}
	return all
}

// smallerRule calls a function with rules that lack one thing each, as far as the API lets it be missing.
func smallerRule(rule *flowcontrolv1.PolicyRulesWithSubjects, add func(flowcontrolv1.PolicyRulesWithSubjects)) {
	with := func(change func(*flowcontrolv1.PolicyRulesWithSubjects)) {
		smaller := rule.DeepCopy()
		change(smaller)
		add(*smaller)
	}
	for _, subjects := range without(rule.Subjects, 1) {
		with(func(r *flowcontrolv1.PolicyRulesWithSubjects) { r.Subjects = subjects })
	}
	least := 0
	if len(rule.ResourceRules)+len(rule.NonResourceRules) == 1 {
		least = 1
	}
	for _, rules := range without(rule.ResourceRules, least) {
		with(func(r *flowcontrolv1.PolicyRulesWithSubjects) { r.ResourceRules = rules })
	}
	for _, rules := range without(rule.NonResourceRules, least) {
		with(func(r *flowcontrolv1.PolicyRulesWithSubjects) { r.NonResourceRules = rules })
	}
	for i := range rule.ResourceRules {
		for _, list := range []func(*flowcontrolv1.ResourcePolicyRule) *[]string{
			func(r *flowcontrolv1.ResourcePolicyRule) *[]string { return &r.Verbs },
			func(r *flowcontrolv1.ResourcePolicyRule) *[]string { return &r.APIGroups },
			func(r *flowcontrolv1.ResourcePolicyRule) *[]string { return &r.Resources },
			func(r *flowcontrolv1.ResourcePolicyRule) *[]string { return &r.Namespaces },
		} {
			for _, values := range without(*list(&rule.ResourceRules[i]), 1) {
				with(func(r *flowcontrolv1.PolicyRulesWithSubjects) { *list(&r.ResourceRules[i]) = values })
			}
		}
	}
	for i, other := range rule.NonResourceRules {
		for _, verbs := range without(other.Verbs, 1) {
			with(func(r *flowcontrolv1.PolicyRulesWithSubjects) { r.NonResourceRules[i].Verbs = verbs })
		}
		for _, urls := range without(other.NonResourceURLs, 1) {
			with(func(r *flowcontrolv1.PolicyRulesWithSubjects) { r.NonResourceRules[i].NonResourceURLs = urls })
		}
	}
}

// without returns the lists that lack one element, unless that would leave too few.
func without[T any](list []T, least int) [][]T {
	if len(list) <= least {
		return nil
	}
	var all [][]T
	for i := range list {
		all = append(all, slices.Delete(slices.Clone(list), i, i+1))
	}
	return all
}

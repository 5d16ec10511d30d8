package webhooks

import (
	"cmp"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
)

// unique leaves out rules that repeat an earlier one, whatever the order of their lists
// (pkg/controllers/webhook/utils.go, deDuplicatedRules). A rule without a scope repeats none with scope *.
func unique(rules []v1.RuleWithOperations) []v1.RuleWithOperations {
	seen := map[string]bool{}
	var kept []v1.RuleWithOperations
	for _, r := range rules {
		if key := ruleKey(r); !seen[key] {
			seen[key] = true
			kept = append(kept, r)
		}
	}
	return kept
}

func ruleKey(r v1.RuleWithOperations) string {
	var lists []string
	for _, list := range [][]string{r.APIGroups, r.APIVersions, r.Resources, words(r.Operations)} {
		lists = append(lists, strings.Join(slices.Sorted(slices.Values(list)), ","))
	}
	return strings.Join(lists, "|") + "|" + string(scopeOf(r))
}

// ordered sorts the lists of each rule, and the rules: shorter lists come first (sortedRules). Kyverno follows a nil
// pointer if two rules differ in nothing but that one of them has no scope; crash names such a rule.
func ordered(rules []v1.RuleWithOperations) (sorted []v1.RuleWithOperations, crash *v1.RuleWithOperations) {
	for _, r := range rules {
		r.APIGroups, r.APIVersions, r.Resources = sortedCopy(r.APIGroups), sortedCopy(r.APIVersions), sortedCopy(r.Resources)
		r.Operations = sortedCopy(r.Operations)
		sorted = append(sorted, r)
	}
	slices.SortStableFunc(sorted, func(a, b v1.RuleWithOperations) int {
		return cmp.Or(lists(a, b), cmp.Compare(scopeOf(a), scopeOf(b)))
	})
	for i := 1; i < len(sorted); i++ {
		if a, b := &sorted[i-1], &sorted[i]; (a.Scope == nil || b.Scope == nil) && lists(*a, *b) == 0 {
			return sorted, a
		}
	}
	return sorted, nil
}

func lists(a, b v1.RuleWithOperations) int {
	return cmp.Or(compareLists(a.APIGroups, b.APIGroups), compareLists(a.APIVersions, b.APIVersions),
		compareLists(a.Resources, b.Resources), compareLists(a.Operations, b.Operations))
}

func compareLists[T cmp.Ordered](a, b []T) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
}

// sortedCopy keeps nil and empty apart, and leaves the policy's own list as it is.
func sortedCopy[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

func scopeOf(r v1.RuleWithOperations) v1.ScopeType {
	if r.Scope == nil {
		return ""
	}
	return *r.Scope
}

func words(operations []v1.OperationType) []string {
	var all []string
	for _, o := range operations {
		all = append(all, string(o))
	}
	return all
}

// describe writes a rule for a sentence.
func describe(r v1.RuleWithOperations) string {
	text := strings.Join(words(r.Operations), ", ") + " of " + strings.Join(r.Resources, ", ")
	if group := strings.Join(r.APIGroups, ", "); group != "" {
		text += " in " + group
	}
	return text
}

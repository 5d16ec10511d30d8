package hazard

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// bothSelect reports whether a request of a sort can pass the selectors of both webhooks.
// Labels of what is not the object itself are not known.
func (r *run) bothSelect(both selector.Pair, at *reached) bool {
	if both.Object.Empty() || !at.carriesItself() && !both.Object.Everything() {
		return false
	}
	if !at.Namespaced && at.GroupVersionResource != namespaceResource {
		return true
	}
	if !r.allNamespaces() {
		return !r.ofNamespaces(both.Namespace).Empty()
	}
	for _, ns := range r.Namespaces {
		if both.Namespace.Has(ns.Labels) {
			return true
		}
	}
	return false
}

// bothPass reports whether the match conditions of one webhook are true whenever those of the
// other are, so that what passes the one passes both.
func (r *run) bothPass(first, second *view, a, b *reached) bool {
	if r.conditionsFalse(first, a, typed) || r.conditionsFalse(second, b, typed) {
		return false
	}
	one, other := first.conditionTexts(), second.conditionTexts()
	return containsAll(one, other) || containsAll(other, one) ||
		r.conditionsTrue(first, a, typed) || r.conditionsTrue(second, b, typed)
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(one string) bool { return !slices.Contains(all, one) })
}

// onceEach is how two webhooks come to share nothing. Where they differ in nothing but their
// rules, one can have them all; otherwise what both match has to go from the one whose errors
// do not refuse anything.
func (r *run) onceEach(first, second *view) string {
	if r.mergeable(first, second) {
		return fmt.Sprintf("Put the rules of both into one webhook: they differ in nothing else. It can be %s.", first.Entry)
	}
	from, to := second, first
	if second.fails() && !first.fails() {
		from, to = first, second
	}
	return fmt.Sprintf("Leave out of the rules or selectors of %s what %s is called for.", from.Entry, to.Entry)
}

// mergeable reports whether a webhook with the rules of both is called for the same requests,
// in the same versions, as the two together.
func (r *run) mergeable(first, second *view) bool {
	a, b := first.own.rules, second.own.rules
	if !sameEffect(first, second) || first.selects().Key() != second.selects().Key() ||
		!equality.Semantic.DeepEqual(a.MatchPolicy, b.MatchPolicy) {
		return false
	}
	merged := &rule.Rules{Rules: slices.Concat(a.Rules, b.Rules), MatchPolicy: a.MatchPolicy}
	for _, at := range slices.Concat(first.matches(), second.matches()) {
		if matched, ok := at.matchedBy(merged, r.Facts, first.Phase); !ok || matched != at.matched {
			return false
		}
	}
	return true
}

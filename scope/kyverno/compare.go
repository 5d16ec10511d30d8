package kyverno

import (
	"cmp"
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// compare sets the webhooks of the cluster beside the predicted ones, with the API server's defaults on both sides. The
// caBundle and the service are not looked at: Kyverno takes them from its own installation.
func (w *world) compare(policies []webhooks.Ref) []Difference {
	var all []Difference
	for _, mutating := range []bool{false, true} {
		if w.observed.has(mutating) {
			all = append(all, w.compareHalf(mutating, policies)...)
		}
	}
	for _, r := range policies {
		if w.unserved(r) {
			all = append(all, Difference{
				Kind: Unserved, Policies: []webhooks.Ref{r},
				Message: fmt.Sprintf("%s is served by no webhook of this cluster.", r),
			})
		}
	}
	return all
}

// compareHalf compares one of the two configurations, entry by entry in the order of their names.
func (w *world) compareHalf(mutating bool, policies []webhooks.Ref) []Difference {
	var all []Difference
	seen := map[*entry]bool{}
	for _, e := range w.predicted.Entries {
		if e.Mutating != mutating {
			continue
		}
		i := slices.IndexFunc(w.seen, func(s *entry) bool { return w.mutating[s] == mutating && s.Name == e.Name && !seen[s] })
		if i < 0 {
			all = append(all, Difference{
				Kind: Missing, Configuration: nameOf(mutating), Entry: e.Name, Policies: e.Members,
				Predicted: write(fieldsOf(w.byEntry[e])),
				Message:   fmt.Sprintf("The cluster does not have the webhook %s, which Kyverno %s would write.", e.Name, w.c.release),
			})
			continue
		}
		seen[w.seen[i]] = true
		all = append(all, w.changed(e, w.seen[i])...)
	}
	for _, s := range w.seen {
		if w.mutating[s] != mutating || seen[s] {
			continue
		}
		var served []webhooks.Ref
		for _, r := range policies {
			if w.names(s, r, w.predicted.Serving(r)) {
				served = append(served, r)
			}
		}
		all = append(all, Difference{
			Kind: Unexpected, Configuration: nameOf(mutating), Entry: s.Name, Observed: write(fieldsOf(s)), Policies: served,
			Message: fmt.Sprintf("The cluster has the webhook %s, which nothing predicts for Kyverno %s.", s.Name, w.c.release),
		})
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(a.Entry, b.Entry) })
	return all
}

// unserved reports whether a policy is served by predicted webhooks and by none of the cluster, in the configurations
// that it has.
func (w *world) unserved(r webhooks.Ref) bool {
	predicted := w.predicted.Serving(r)
	wanted := slices.ContainsFunc(predicted, func(e *webhooks.Entry) bool { return w.observed.has(e.Mutating) })
	return wanted && !slices.ContainsFunc(w.seen, func(s *entry) bool { return w.names(s, r, predicted) })
}

// changed compares the fields of an entry that both have.
func (w *world) changed(e *webhooks.Entry, s *entry) []Difference {
	var all []Difference
	predicted, observed := fieldsOf(w.byEntry[e]), fieldsOf(s)
	if e.Unordered {
		predicted.Rules, observed.Rules = inSomeOrder(predicted.Rules), inSomeOrder(observed.Rules)
	}
	for i, p := range predicted.list() {
		o := observed.list()[i]
		if equality.Semantic.DeepEqual(p.value, o.value) || p.selects && w.someOrder(e, s) {
			continue
		}
		all = append(all, Difference{
			Kind: Changed, Configuration: s.configuration, Entry: e.Name, Field: p.name, Policies: e.Members,
			Predicted: write(p.value), Observed: write(o.value),
			Message: fmt.Sprintf("%s of the webhook %s is not what Kyverno %s would write.", p.name, e.Name, w.c.release),
		})
	}
	return all
}

// someOrder reports whether the selectors of a webhook are those of one of the orders that are possible before release
// 1.19.
func (w *world) someOrder(e *webhooks.Entry, s *entry) bool {
	for _, o := range w.predicted.Orders {
		for _, one := range o.Entries {
			if one.Name != e.Name || o.Mutating != e.Mutating {
				continue
			}
			under := w.under(one)
			if equality.Semantic.DeepEqual(under.NamespaceSelector, s.NamespaceSelector) &&
				equality.Semantic.DeepEqual(under.ObjectSelector, s.ObjectSelector) {
				return true
			}
		}
	}
	return false
}

// write is a value as YAML.
func write(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// inSomeOrder returns rules in an order that does not depend on how they came: Kyverno sorts the lists within the rules of
// its cached policies in place for other webhooks (pkg/controllers/webhook/utils.go, sortedRules), so that it writes these
// in one order or another.
func inSomeOrder(rules []v1.RuleWithOperations) []v1.RuleWithOperations {
	all := make([]v1.RuleWithOperations, len(rules))
	for i := range rules {
		one := rules[i].DeepCopy()
		slices.Sort(one.APIGroups)
		slices.Sort(one.APIVersions)
		slices.Sort(one.Resources)
		slices.Sort(one.Operations)
		all[i] = *one
	}
	slices.SortFunc(all, func(a, b v1.RuleWithOperations) int { return cmp.Compare(write(a), write(b)) })
	return all
}

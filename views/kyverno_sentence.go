package views

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// kyvernoSentence says what a policy of Kyverno sees: what its engine asks for, and what its webhook leaves out of that.
func kyvernoSentence(p *scope.Policy, own []Layer) Sentence {
	switch why, open := served(p).Without(); {
	case open != nil:
		return Sentence{}.plain("It is not known " + open.Fact + ".")
	case why != "":
		return Sentence{}.strong("No request reaches it").plain(". " + why)
	}
	var engine, webhook []Layer
	for _, l := range own {
		switch l.Name {
		case scope.MatchResourceRules, scope.MatchNamespaceSelector, scope.MatchObjectSelector, scope.MatchConditions:
			engine = append(engine, l)
		case scope.WebhookResourceRules, scope.WebhookNamespaceSelector, scope.WebhookObjectSelector:
			webhook = append(webhook, l)
		}
	}
	seen, beyond := engine, without(webhook, engine, p.Namespace)
	if len(engine) == 0 {
		// The rules of a legacy policy do not come down to a sentence.
		seen, beyond = webhook, nil
	}
	slices.SortStableFunc(seen, func(a, b Layer) int { return rulesFirst(a) - rulesFirst(b) })
	s := Sentence{}.plain("Sees ")
	if len(engine) == 0 {
		s = Sentence{}.plain("Sees at most ")
	}
	s = s.layers(seen, "every request")
	if p.Namespace != "" {
		s = s.plain(" in namespace ").strong(p.Namespace)
	}
	if never := reachesNothing(p, own); never != nil {
		return append(s.plain("; but "), never...)
	}
	if names := onlyLeavesOut(beyond); len(names) > 0 {
		s = s.plain("; its webhook leaves out ").strong(listSome(names, 4))
	} else if narrows(beyond) {
		s = s.plain("; its webhook narrows it to ").layers(beyond, "requests")
	}
	return s.plain("; ").strong(onError(p.FailurePolicy)).plain(".")
}

// rulesFirst puts the rules before the selectors, as in every other sentence.
func rulesFirst(l Layer) int {
	if l.Name == scope.MatchResourceRules {
		return 0
	}
	return 1
}

// without is what the selectors of a webhook ask for beyond those of the policy, and beyond the pin to its namespace,
// which the sentence says in its own words.
func without(webhook, engine []Layer, namespace string) []Layer {
	var kept []Layer
	for _, l := range webhook {
		if l.Selector == nil || l.Selector.Err() != nil {
			continue
		}
		var extra metav1.LabelSelector
		for _, r := range l.Selector.Requirements {
			pin := l.OfNamespace && namespace != "" && r.Key == corev1.LabelMetadataName &&
				r.Operator == metav1.LabelSelectorOpIn && slices.Equal(r.Values, []string{namespace})
			if !pin && !hasRequirement(engine, l.OfNamespace, r) {
				extra.MatchExpressions = append(extra.MatchExpressions, metav1.LabelSelectorRequirement{Key: r.Key, Operator: r.Operator, Values: r.Values})
			}
		}
		l.Selector = selector.New(&extra, l.Selector.Field)
		l.Narrows = !l.Selector.Empty()
		kept = append(kept, l)
	}
	return kept
}

// onlyLeavesOut names the namespaces that layers leave out by name, if they ask for nothing else.
func onlyLeavesOut(layers []Layer) []string {
	var names []string
	for _, l := range layers {
		for _, r := range l.Selector.Requirements {
			if !l.OfNamespace || r.Key != corev1.LabelMetadataName || r.Operator != metav1.LabelSelectorOpNotIn {
				return nil
			}
			names = append(names, r.Values...)
		}
	}
	return names
}

// hasRequirement reports whether one of the layers has a requirement.
func hasRequirement(layers []Layer, ofNamespace bool, r selector.Requirement) bool {
	return slices.ContainsFunc(layers, func(l Layer) bool {
		return l.Selector != nil && l.OfNamespace == ofNamespace &&
			slices.ContainsFunc(l.Selector.Requirements, func(o selector.Requirement) bool { return o.String() == r.String() })
	})
}

var generating = []api.Kind{api.GeneratingPolicy, api.NamespacedGeneratingPolicy}

// reachesNothing says that no labels pass; nil if some do. The selectors of both rooms read the labels of one namespace,
// so they have to pass together; an object that is updated has two sets of labels, one of which may pass the one and the
// other the other. A policy that generates asks no namespaceSelector on DELETE.
func reachesNothing(p *scope.Policy, own []Layer) Sentence {
	namespace, object := selector.Everything(), false
	if p.Namespace != "" {
		pin := metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: p.Namespace}}
		namespace = selector.New(&pin, "").Extent()
	}
	for _, l := range own {
		switch {
		case l.Selector == nil:
		case l.OfObject:
			object = object || l.Selector.Extent().Empty()
		case l.Name.OfWebhook() || !slices.Contains(generating, api.Kind(p.Kind)):
			namespace = namespace.And(l.Selector.Extent())
		}
	}
	switch {
	case object:
		return Sentence{}.strong("no request reaches it").plain(": no labels of an object pass.")
	case !namespace.Empty():
		return nil
	case p.Namespace != "":
		return Sentence{}.strong("no request reaches it").plain(": that namespace does not pass the selectors.")
	}
	return Sentence{}.strong("nothing in a namespace reaches it").plain(": no labels of a namespace pass.")
}

// pairOf is what the selectors among layers select together.
func pairOf(layers []Layer) selector.Pair {
	pair := selector.Pair{Namespace: selector.Everything(), Object: selector.Everything()}
	for _, l := range layers {
		switch {
		case l.Selector == nil:
		case l.OfNamespace:
			pair.Namespace = pair.Namespace.And(l.Selector.Extent())
		case l.OfObject:
			pair.Object = pair.Object.And(l.Selector.Extent())
		}
	}
	return pair
}

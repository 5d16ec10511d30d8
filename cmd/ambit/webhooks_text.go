package main

import (
	"io"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// writeWebhookText writes a prediction for a person to read: the entries in the order of the configurations, and of each
// what tells it apart and whom it serves.
func writeWebhookText(w io.Writer, p *webhooks.Prediction) error {
	t := newText(w)
	for _, configuration := range []struct {
		name     string
		mutating bool
	}{{p.Validating.Name, false}, {p.Mutating.Name, true}} {
		entries := slices.DeleteFunc(slices.Clone(p.Entries), func(e *webhooks.Entry) bool { return e.Mutating != configuration.mutating })
		t.line(0, "%s  %s", t.paint(bold, configuration.name), t.paint(faint, count(len(entries), "entry", "entries")))
		for _, e := range entries {
			t.entry(e)
		}
	}
	return t.err
}

// entry writes one webhook.
func (t *text) entry(e *webhooks.Entry) {
	t.line(1, "%s", t.paint(bold, oneLine(e.Name)))
	t.fact("group", groupOf(e))
	t.fact("path", e.Path)
	t.fact("namespaces", selectorWords(e.NamespaceSelector))
	t.fact("objects", selectorWords(e.ObjectSelector))
	t.fact("members", refs(e.Members))
	if !slices.Equal(e.Members, e.Givers) {
		t.fact("rules of", refs(e.Givers))
	}
	for i, r := range e.Rules {
		label := ""
		if i == 0 {
			label = "rules"
		}
		t.fact(label, ruleWords(r))
	}
	for i, c := range e.Conditions {
		label := ""
		if i == 0 {
			label = "conditions"
		}
		t.fact(label, c.Name+": "+c.Expression)
	}
}

func (t *text) fact(label, value string) {
	t.line(2, "%-11s%s", label, oneLine(value))
}

// groupOf says what puts policies together in a webhook: the hash of their selectors, of which the suffix is the beginning.
func groupOf(e *webhooks.Entry) string {
	words := string(e.FailurePolicy)
	switch {
	case e.FineGrained:
		return words + ", for one policy alone"
	case e.Suffix != "":
		return words + ", suffix " + strings.TrimPrefix(e.Suffix, "-") + " of " + e.Key
	case e.Key != "":
		return words + ", the only one of its kind, so it has no suffix"
	}
	return words
}

// selectorWords writes a selector on one line. Kyverno keeps an absent and an empty one apart, though they let through the
// same.
func selectorWords(written *metav1.LabelSelector) string {
	if written == nil {
		return "all (no selector)"
	}
	requirements := selector.New(written, "").Requirements
	if len(requirements) == 0 {
		return "all ({})"
	}
	words := make([]string, 0, len(requirements))
	for _, r := range requirements {
		words = append(words, r.String())
	}
	return strings.Join(words, ", ")
}

// ruleWords writes a rule on one line.
func ruleWords(r v1.RuleWithOperations) string {
	var operations []string
	for _, o := range r.Operations {
		operations = append(operations, string(o))
	}
	words := strings.Join(operations, ",") + "  " + strings.Join(r.Resources, ",")
	groups := slices.Clone(r.APIGroups)
	for i, group := range groups {
		if group == "" {
			groups[i] = "core"
		}
	}
	words += "  of " + strings.Join(groups, ",") + " " + strings.Join(r.APIVersions, ",")
	if r.Scope != nil && *r.Scope != v1.AllScopes {
		words += ", " + string(*r.Scope)
	}
	return words
}

// refs names policies.
func refs(all []webhooks.Ref) string {
	names := make([]string, 0, len(all))
	for _, r := range all {
		names = append(names, r.String())
	}
	return strings.Join(names, ", ")
}

package webhooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// overwritten lists the labels of a policy's selectors whose values the ConfigMap replaces; empty if there is none.
func (b *builder) overwritten(p *api.Policy) string {
	match := p.Match()
	var labels []string
	if p.Namespace == "" || !b.in.Release.Grouped() {
		labels = replaced(match.NamespaceSelector, b.config.NamespaceSelector)
	}
	return strings.Join(append(labels, replaced(match.ObjectSelector, b.config.ObjectSelector)...), ", ")
}

func replaced(policy, global *metav1.LabelSelector) []string {
	if policy == nil || global == nil {
		return nil
	}
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(policy.MatchLabels)) {
		if value, ok := global.MatchLabels[key]; ok && value != policy.MatchLabels[key] {
			labels = append(labels, fmt.Sprintf("%s=%s by %s=%s", key, policy.MatchLabels[key], key, value))
		}
	}
	return labels
}

// silenced is about policies that another one silences because their webhook has its selectors.
func (b *builder) silenced(o *Order) {
	f := Finding{
		Kind: "overwritten-selectors", Severity: Error, Policies: slices.Concat(o.Silent, o.Narrowed),
		Message: "If " + list(o.Winners) + " is written last, ",
		Why: "Before Kyverno 1.19 all policies of a kind share one webhook, and each that is written replaces its " +
			"selectors (kyverno #15344). Which one is written last changes from one time to the next.",
		Fix: "Give all policies of the kind the same selectors, give each matchConditions so that it gets a webhook " +
			"of its own, or use Kyverno 1.19.",
	}
	if len(o.Entries) > 0 {
		f.Entry = o.Entries[0].Name
	}
	switch {
	case len(o.Silent) > 0 && len(o.Narrowed) > 0:
		f.Message += fmt.Sprintf("no request reaches %s, and not all that should reach %s.",
			list(o.Silent), list(o.Narrowed))
	case len(o.Silent) > 0:
		f.Message += fmt.Sprintf("no request reaches %s.", list(o.Silent))
	case len(o.Narrowed) > 0:
		f.Severity = Warning
		f.Message += fmt.Sprintf("not all requests reach %s that should.", list(o.Narrowed))
	default:
		return
	}
	b.add(f)
}

// mostNamed bounds how many policies a sentence names; the rest is counted.
const mostNamed = 6

// list joins names for a sentence.
func list(refs []Ref) string {
	var names []string
	for i, r := range refs {
		if i == mostNamed && len(refs) > mostNamed+1 {
			names = append(names, fmt.Sprintf("%d more", len(refs)-mostNamed))
			break
		}
		names = append(names, r.String())
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}

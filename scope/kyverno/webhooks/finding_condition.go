package webhooks

import (
	"fmt"
	"regexp"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// notOffloaded is about match conditions that the API server is not asked, so that every request which the rules and
// selectors let through costs a call.
func (b *builder) notOffloaded(p *api.Policy) {
	f := Finding{
		Kind: "conditions-not-offloaded", Severity: Info, Policies: []Ref{RefOf(p)}, Entry: b.entryOf(RefOf(p)),
		Why: "Kyverno gives conditions to the API server only if all of a policy's are understood there: none reads " +
			"variables or uses Kyverno's libraries. It evaluates the others itself, after a call for each request that the " +
			"rules match.",
		Fix: "Where calls are many, write the conditions with object, oldObject, request and authorizer alone.",
	}
	for _, c := range p.Spec.MatchConditions {
		if why := refusal(c); why != "" {
			f.Message = fmt.Sprintf("The API server evaluates no match condition of the policy, because it would not take %q: %s.",
				c.Name, oneLine(why))
			b.add(f)
			return
		}
	}
	var dropped []string
	for _, c := range p.Spec.MatchConditions {
		if studyOf(c.Expression).readsNamespace {
			dropped = append(dropped, fmt.Sprintf("%q", c.Name))
		}
	}
	switch {
	case len(dropped) == 0:
	case b.in.Release.Grouped():
		f.Message = fmt.Sprintf("The API server does not evaluate %s, because namespaceObject is null there.",
			strings.Join(dropped, ", "))
		f.Why = "Webhooks are not given the Namespace. Kyverno leaves such conditions out of its webhook and evaluates " +
			"them itself."
		f.Fix = "Where calls are many, use a namespaceSelector instead."
		b.add(f)
	default:
		f.Kind, f.Severity = "namespace-object", Error
		f.Message = fmt.Sprintf("In the API server %s fails for every request, because namespaceObject is null there: ",
			strings.Join(dropped, ", "))
		if b.failurePolicy(p) == v1.Fail {
			f.Message += "all that the rules match is refused."
		} else {
			f.Message += "the policy is skipped for all that the rules match."
		}
		f.Why = "Webhooks are not given the Namespace. Before 1.19 Kyverno puts such conditions into its webhook all the " +
			"same (kyverno #17018)."
		f.Fix = "Use a namespaceSelector, or Kyverno 1.19."
		b.add(f)
	}
}

var place = regexp.MustCompile(`^compilation failed: ERROR: <input>:\d+:\d+: `)

// oneLine leaves the place and the picture of it out of a compiler's message.
func oneLine(message string) string {
	first, _, _ := strings.Cut(place.ReplaceAllString(message, ""), "\n")
	return strings.TrimSuffix(strings.TrimSpace(first), " (in container '')")
}

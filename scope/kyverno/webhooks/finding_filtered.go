package webhooks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// filtered is about resources that webhooks ask for and that resourceFilters then let through unseen, whatever the
// object.
func (b *builder) filtered() {
	if len(b.config.Filters) == 0 {
		return
	}
	partly := map[string][]Ref{}
	for _, p := range b.policies {
		if b.entryOf(RefOf(p)) != "" {
			b.filteredPolicy(RefOf(p), b.allRules(p), partly)
		}
	}
	for _, p := range b.in.Legacy {
		b.filteredPolicy(RefOfLegacy(p), b.legacyRules(p), partly)
	}
	for _, s := range slices.Sorted(maps.Keys(partly)) {
		b.add(Finding{
			Kind: "filtered-resource", Severity: Info, Policies: partly[s],
			Message: "Webhooks ask Kyverno about these, and it lets them through unseen: " + s + ".",
			Why: "Kyverno allows what resourceFilters in its ConfigMap match before it looks at any policy. Its own " +
				"chart filters ReplicaSets, while policies for Pods are extended to them.",
			Fix: "Nothing has to be done if the objects are checked elsewhere, as the Pods of a ReplicaSet are.",
		})
	}
}

// filteredPolicy adds a finding if all that a policy names is filtered, and what is filtered to partly if not all is.
func (b *builder) filteredPolicy(ref Ref, rules []v1.RuleWithOperations, partly map[string][]Ref) {
	named, known := b.namedBy(rules)
	var swallowed []string
	for _, r := range named {
		if f := b.swallows(r, ref.Namespace); f != nil {
			swallowed = append(swallowed, fmt.Sprintf("%s by %s", nameOf(r), f.Written))
		}
	}
	if !known || len(swallowed) < len(named) {
		for _, s := range swallowed {
			partly[s] = append(partly[s], ref)
		}
		return
	}
	if len(swallowed) == 0 {
		return
	}
	b.add(Finding{
		Kind: "filtered-out", Severity: Error, Policies: []Ref{ref}, Entry: b.entryOf(ref),
		Message: "Kyverno looks at no request for the policy: its resourceFilters let through all that it names, " +
			strings.Join(swallowed, ", ") + ".",
		Why: "Kyverno allows what resourceFilters in its ConfigMap match before it looks at any policy, and says so nowhere.",
		Fix: "Take the filter out of the ConfigMap.",
	})
}

// allRules are the rules that webhooks get from one policy.
func (b *builder) allRules(p *api.Policy) []v1.RuleWithOperations {
	rules := rulesOf(p.Spec.MatchConstraints)
	derived, _ := autogen.Of(p, b.in.Release, b.in.Resources)
	for _, d := range derived {
		rules = append(rules, rulesOf(d.Match)...)
	}
	return rules
}

// legacyRules are the rules that webhooks get from one legacy policy.
func (b *builder) legacyRules(p *api.Legacy) []v1.RuleWithOperations {
	var rules []v1.RuleWithOperations
	for _, w := range b.legacyWebhooks([]*api.Legacy{p}).Webhooks {
		rules = append(rules, w.Rules...)
	}
	return rules
}

// swallows returns the filter that lets through every request for a resource, in one namespace if it is given.
func (b *builder) swallows(r resource.Resource, namespace string) *config.Filter {
	// Kyverno compares the kind of the resource, also for its subresources.
	gvk := r.Kind
	if r.Subresource != "" {
		parent, ok := b.lookup(r.GroupVersionResource, "")
		if !ok {
			return nil
		}
		gvk = parent.Kind
	}
	for i := range b.config.Filters {
		f := &b.config.Filters[i]
		selector := kind.Selector{Group: f.Group, Version: f.Version, Kind: f.Kind, Subresource: f.Subresource}
		// An object outside of namespaces is in namespace "", one in a namespace never.
		there := everything(f.Namespace) || !r.Namespaced && f.Namespace == "" ||
			r.Namespaced && namespace != "" && kind.Like(f.Namespace, namespace)
		if there && everything(f.Name) && selector.Matches(gvk, r.Subresource) {
			return f
		}
	}
	return nil
}

func everything(pattern string) bool { return pattern != "" && strings.Trim(pattern, "*") == "" }

func nameOf(r resource.Resource) string {
	name := r.Resource
	if r.Subresource != "" {
		name += "/" + r.Subresource
	}
	if r.Group != "" {
		name += "." + r.Group
	}
	return name
}

package webhooks

import (
	"fmt"
	"slices"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// silence finds policies that Kyverno is never called for, or only where its engine says no.
func (b *builder) silence(p *api.Policy) {
	ref := RefOf(p)
	match := p.Spec.MatchConstraints
	switch {
	case (ref.Kind == api.NamespacedMutatingPolicy || ref.Kind == api.NamespacedGeneratingPolicy) && !b.called(ref.Kind):
		b.add(Finding{
			Kind: "kind-without-webhook", Severity: Error, Policies: []Ref{ref},
			Message: fmt.Sprintf("Kyverno %s writes no webhook for a %s, so the policy takes no part in admission.",
				b.in.Release, ref.Kind),
			Why: "A NamespacedMutatingPolicy has webhooks since 1.17, a NamespacedGeneratingPolicy since 1.19.",
			Fix: "Use the kind without a namespace, with a namespaceSelector, or a later release.",
		})
	case match == nil, p.Spec.Evaluation != nil && p.Spec.Evaluation.Mode == "JSON":
		// The engine does not evaluate such a policy in admission, so that no webhook is missing.
	case len(match.ResourceRules) == 0:
		b.add(Finding{
			Kind: "never-called", Severity: Error, Policies: []Ref{ref}, Entry: b.entryOf(ref),
			Message: "No request ever reaches the policy: it names no resources, so its webhook is asked about none.",
			Why:     "To Kyverno's engine no resourceRules are all resources. A webhook without rules is called for none.",
			Fix:     "Write the resources in matchConstraints.resourceRules.",
		})
	default:
		b.contradiction(p)
	}
}

// contradiction finds selectors that let nothing through: the policy's own, those of its webhook, or the two together.
func (b *builder) contradiction(p *api.Policy) {
	called, evaluated := b.selectorsOf(p).extents(), evaluated(p)
	both := called.And(evaluated)
	if invalid(both) || !both.Empty() {
		return
	}
	f := Finding{Kind: "never-called", Severity: Error, Policies: []Ref{RefOf(p)}, Entry: b.entryOf(RefOf(p))}
	global := pair{b.config.NamespaceSelector, b.config.ObjectSelector}.extents()
	switch overwritten := b.overwritten(p); {
	case overwritten != "":
		f.Kind = "overwritten-labels"
		f.Message = fmt.Sprintf("In the policy's webhook the ConfigMap kyverno replaces %s. Kyverno is called for what "+
			"its engine then leaves alone, and never for what the policy is for.", overwritten)
		f.Why = "matchLabels of the ConfigMap are not added to those of a policy: for the same label they take their " +
			"place. The engine asks the policy's own."
		f.Fix = "Take the label out of the ConfigMap's matchLabels, or ask for it in matchExpressions."
	case evaluated.Empty():
		f.Kind = "never-applies"
		f.Message = "The selectors in matchConstraints let nothing through" + inNamespace(p) + "."
		f.Why = "The requirements of a selector must hold together. A namespaced policy is about its own namespace alone, " +
			"and Kyverno's engine asks its namespaceSelector, too."
		f.Fix = "Change the selectors in matchConstraints."
	case global.Empty():
		f.Message = "No request ever reaches the policy: the selectors in the ConfigMap kyverno let nothing through."
		f.Why = "They are added to the selectors of every webhook."
		f.Fix = "Change the webhooks in the ConfigMap."
	case p.Namespace != "" && called.Namespace.Empty():
		f.Message = fmt.Sprintf("No request ever reaches the policy: its webhook is for namespace %s alone, which the "+
			"ConfigMap kyverno excludes from all webhooks.", p.Namespace)
		f.Why = "Kyverno pins the webhook of a namespaced policy to its namespace and adds the ConfigMap's selectors, " +
			"which Helm fills with the namespaces kube-system and kyverno."
		f.Fix = fmt.Sprintf("Take namespace %s out of the exclusions in the ConfigMap, or move the policy.", p.Namespace)
	case called.Empty():
		f.Message = "No request ever reaches the policy: what it selects, the ConfigMap kyverno excludes from all webhooks."
		f.Why = "The ConfigMap's selectors are added to those of every webhook."
		f.Fix = "Change the policy's selectors, or the webhooks in the ConfigMap."
	default:
		f.Kind = "never-applies"
		f.Message = "Kyverno is called for the policy only where its engine then finds that the policy does not apply."
		f.Why = "The webhook has the policy's namespace and the ConfigMap's selectors. The engine asks the selectors in " +
			"matchConstraints, and the two have nothing in common."
		f.Fix = "Change the selectors in matchConstraints."
	}
	if !both.Object.Empty() && b.outside(p) {
		f.Severity = Warning
		f.Message += " Objects outside of namespaces pass every namespaceSelector and are not concerned."
	}
	b.add(f)
}

func invalid(p selector.Pair) bool { return p.Namespace.Err() != nil || p.Object.Err() != nil }

// called reports whether the release writes webhooks for a kind.
func (b *builder) called(kind api.Kind) bool {
	return slices.ContainsFunc(calls(b.in.Release), func(c call) bool { return c.kind == kind })
}

// entryOf names the webhook of a policy, the first if it has several.
func (b *builder) entryOf(r Ref) string {
	for _, e := range b.entries {
		if slices.Contains(e.Members, r) {
			return e.Name
		}
	}
	return ""
}

func inNamespace(p *api.Policy) string {
	if p.Namespace == "" {
		return ""
	}
	return " in namespace " + p.Namespace
}

package webhooks

import (
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
)

// addLegacy adds the webhooks of legacy policies.
func (b *builder) addLegacy() {
	said := b.legacyWebhooks(b.in.Legacy)
	for _, w := range said.Webhooks {
		timeout, equivalent, policies := w.TimeoutSeconds, v1.Equivalent, refsOf(w.Policies)
		e := &Entry{
			Mutating: w.Mutating, Base: w.Base, Name: w.Name, Path: w.Path, FineGrained: w.FineGrained,
			FailurePolicy: w.FailurePolicy, NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
			Rules: w.Rules, Conditions: w.MatchConditions, TimeoutSeconds: &timeout, MatchPolicy: &equivalent,
			SideEffects: w.SideEffects, Members: policies, Givers: policies,
		}
		b.entries = append(b.entries, reinvoked(e))
	}
	for _, u := range said.Unresolved {
		b.unresolved(u)
	}
}

func (b *builder) legacyWebhooks(policies []*api.Legacy) legacy.Prediction {
	return legacy.Webhooks(legacy.Input{
		Policies: policies, Config: b.config, Flags: b.in.Flags, Release: b.in.Release, Resources: b.in.Resources,
	})
}

// reinvoked asks for another call where a later webhook changes the object, as mutating webhooks of legacy policies do.
func reinvoked(e *Entry) *Entry {
	if e.Mutating {
		again := v1.IfNeededReinvocationPolicy
		e.Reinvocation = &again
	}
	return e
}

func refsOf(policies []*api.Legacy) []Ref {
	var refs []Ref
	for _, p := range policies {
		refs = append(refs, RefOfLegacy(p))
	}
	return refs
}

func (b *builder) unresolved(u legacy.Unresolved) {
	f := Finding{
		Kind: "kind-not-found", Severity: Warning, Policies: []Ref{RefOfLegacy(u.Policy)},
		Message: fmt.Sprintf("The cluster serves nothing of kind %s, so no webhook asks about it.", u.Kind),
		Why: "Kyverno looks the kinds of a policy up in the API when it writes its webhooks. What it does not find it " +
			"logs and leaves out, and the policy counts as ready.",
		Fix: "Correct the kind, or install its CustomResourceDefinition: Kyverno then finds it within a minute.",
	}
	if u.Unknown {
		f.Severity = Info
		f.Message = fmt.Sprintf("Which resources are of kind %s is not known without the list of those that the cluster "+
			"serves, so the webhooks say nothing of it here.", u.Kind)
		f.Fix = "Ask a cluster, or add the CustomResourceDefinitions to what is read."
	}
	b.add(f)
}

package legacy

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/rules"
)

// FailurePolicy is what a failed call to Kyverno does to a request: the flag decides, then the policy's
// webhookConfiguration, then the older field of its spec (api/kyverno/v1/spec_types.go, GetFailurePolicy).
func FailurePolicy(p *api.Legacy, flags config.Flags) v1.FailurePolicyType {
	asked := v1.Fail
	switch {
	case flags.ForceFailurePolicyIgnore:
		return v1.Ignore
	case p.Spec.Webhook != nil && p.Spec.Webhook.FailurePolicy != nil:
		asked = *p.Spec.Webhook.FailurePolicy
	case p.Spec.FailurePolicy != nil:
		asked = *p.Spec.FailurePolicy
	}
	if asked == v1.Ignore {
		return v1.Ignore
	}
	return v1.Fail
}

// FineGrained reports whether a policy has a webhook of its own: it has match conditions, and one at least.
func FineGrained(p *api.Legacy) bool {
	return p.Spec.Webhook != nil && len(p.Spec.Webhook.MatchConditions) > 0
}

// Admits reports whether Kyverno evaluates a policy in admission. It does not where the policy says so, and where it
// wrote a ValidatingAdmissionPolicy in place of a ClusterPolicy (pkg/controllers/webhook/controller.go,
// getAllPolicies).
func Admits(p *api.Legacy) bool {
	generated := api.Kind(p.Kind) == api.ClusterPolicy && p.Status.ValidatingAdmissionPolicy.Generated
	return !generated && (p.Spec.Admission == nil || *p.Spec.Admission)
}

// timeout is what a policy asks for, in seconds; nil if it does not ask.
func timeout(p *api.Legacy) *int32 {
	if p.Spec.Webhook != nil && p.Spec.Webhook.TimeoutSeconds != nil {
		return p.Spec.Webhook.TimeoutSeconds
	}
	return p.Spec.WebhookTimeoutSeconds
}

// namespaced reports whether a policy is a Policy, which is for its own namespace.
func namespaced(p *api.Legacy) bool { return api.Kind(p.Kind) == api.LegacyPolicy }

// anyRule reports whether something holds for one of the rules that a policy has written.
func anyRule(p *api.Legacy, holds func(*rules.Rule) bool) bool {
	for i := range p.Spec.Rules {
		if holds(&rules.Rule{Rule: p.Spec.Rules[i], Index: i}) {
			return true
		}
	}
	return false
}

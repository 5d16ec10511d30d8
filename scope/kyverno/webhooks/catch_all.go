package webhooks

import (
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
)

// catchAll makes what stands under --autoUpdateWebhooks=false (controller.go,
// buildDefaultResourceValidatingWebhookConfiguration): webhooks for everything, without selectors. Their paths are
// those of legacy policies; no other policy is served.
func (b *builder) catchAll() {
	timeout, equivalent := b.in.Flags.Timeout(), v1.Equivalent
	operations := map[bool][]v1.OperationType{
		false: {v1.Create, v1.Update, v1.Delete, v1.Connect},
		true:  {v1.Create, v1.Update},
	}
	for _, mutating := range []bool{false, true} {
		for _, failurePolicy := range []v1.FailurePolicyType{v1.Ignore, v1.Fail} {
			verb, word := "validate", strings.ToLower(string(failurePolicy))
			if mutating {
				verb = "mutate"
			}
			e := &Entry{
				Mutating: mutating, Base: verb + ".kyverno.svc", Name: verb + ".kyverno.svc-" + word, Path: "/" + verb + "/" + word,
				FailurePolicy: failurePolicy, SideEffects: v1.SideEffectClassNoneOnDryRun,
				TimeoutSeconds: &timeout, MatchPolicy: &equivalent,
				Rules: []v1.RuleWithOperations{{
					Operations: operations[mutating],
					Rule:       v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
				}},
			}
			if !mutating && b.in.Flags.NoAdmissionReports {
				e.SideEffects = v1.SideEffectClassNone
			}
			for _, p := range b.in.Legacy {
				if (p.Spec.Admission == nil || *p.Spec.Admission) && legacy.FailurePolicy(p, b.in.Flags) == failurePolicy {
					e.Members = append(e.Members, RefOfLegacy(p))
				}
			}
			b.entries = append(b.entries, reinvoked(e))
		}
	}
	var unserved []Ref
	for _, p := range b.policies {
		if p.Admits() {
			unserved = append(unserved, RefOf(p))
		}
	}
	if len(unserved) > 0 {
		b.add(Finding{
			Kind: "no-auto-update", Severity: Error, Policies: unserved,
			Message: "No webhook serves policies of the group policies.kyverno.io, so none of them is evaluated in admission.",
			Why:     "With --autoUpdateWebhooks=false Kyverno writes its webhooks once, for legacy policies alone.",
			Fix:     "Leave the flag at its default, true.",
		})
	}
}

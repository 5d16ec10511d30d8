package kyverno

import (
	"fmt"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// isLegacy reports whether a kind is of the group kyverno.io.
func isLegacy(k api.Kind) bool { return k == api.ClusterPolicy || k == api.LegacyPolicy }

// whyNone says why no webhook serves a policy that is written in CEL.
func (w *world) whyNone(p *api.Policy) string {
	switch {
	case !p.Admits():
		return "The policy is not for admission (spec.evaluation.admission.enabled is false), so Kyverno writes no webhook for it."
	case p.Status.Generated:
		return "Kyverno wrote a policy of the API server's own kind in its place, and no webhook (status.generated)."
	}
	return w.whyUnnamed(api.Kind(p.Kind), "matchConstraints has no resourceRules")
}

// whyNoneLegacy says it of a ClusterPolicy or a Policy.
func (w *world) whyNoneLegacy(p *api.Legacy) string {
	switch {
	case p.Spec.Admission != nil && !*p.Spec.Admission:
		return "The policy is not for admission (spec.admission is false), so Kyverno writes no webhook for it."
	case p.Status.ValidatingAdmissionPolicy.Generated:
		return "Kyverno wrote a ValidatingAdmissionPolicy in its place, and no webhook (status.validatingadmissionpolicy.generated)."
	}
	return w.whyUnnamed(api.Kind(p.Kind), "its rules name no kind that the cluster serves")
}

func (w *world) whyUnnamed(kind api.Kind, reason string) string {
	if w.observed.Any() {
		return "No webhook of the cluster serves the policy. " +
			"Kyverno's controller may not have seen it yet, or cannot write its webhooks."
	}
	return fmt.Sprintf("Kyverno %s writes no webhook for this %s: %s.", w.c.release, kind, reason)
}

// unwritten is why a predicted configuration says nothing about what the cluster has: Kyverno cannot write it. Nil if
// it can.
func (w *world) unwritten(mutating bool) *scope.Missing {
	for _, f := range w.predicted.Findings {
		switch {
		case f.Kind == "crashes-controller":
		case (f.Kind == "duplicate-name" || f.Kind == "refused") && w.isIn(f.Entry, mutating):
		default:
			continue
		}
		const fact = "which webhooks the cluster has, because Kyverno cannot write those that are predicted (%s, %s)"
		return &scope.Missing{Path: "webhooks", Fact: fmt.Sprintf(fact, f.Kind, f.Entry)}
	}
	return nil
}

func (w *world) isIn(name string, mutating bool) bool {
	return slices.ContainsFunc(w.predicted.Entries, func(e *webhooks.Entry) bool {
		return e.Name == name && e.Mutating == mutating
	})
}

// doubt notes what is not known of a ride on predicted webhooks: whether Kyverno could write them at all, and, where
// its ConfigMap was not read, what that adds to their selectors.
func (w *world) doubt(r *ride, unread *scope.Missing) {
	for _, mutating := range []bool{false, true} {
		predicted := r.some(func(e *entry) bool { return !e.observed && e.configuration == nameOf(mutating) })
		if predicted && r.open == nil {
			r.open = w.unwritten(mutating)
		}
	}
	if r.onPredicted() {
		r.selectorsOpen = unread
	}
}

// onPredicted reports whether some webhook that serves the policy is a predicted one.
func (r *ride) onPredicted() bool { return r.some(func(e *entry) bool { return !e.observed }) }

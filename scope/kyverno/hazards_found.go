package kyverno

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// Hazards implements hazard.Kind: what is wrong with the webhooks that follow from the policies, and what sets those of
// the cluster apart from them.
func (c *Compiler) Hazards(in hazard.Input) []hazard.Finding {
	r := ReportOf(in.Policies)
	if r == nil {
		return nil
	}
	h := &hazards{in: in, report: r, policies: map[webhooks.Ref]*scope.Policy{}}
	for _, p := range in.Policies {
		h.policies[refOfPolicy(p)] = p
	}
	var found []hazard.Finding
	for _, f := range r.Findings {
		if h.holds(f) {
			found = append(found, h.finding(f))
		}
	}
	return append(found, h.differences()...)
}

// hazards is one search for what is wrong.
type hazards struct {
	in       hazard.Input
	report   *Report
	policies map[webhooks.Ref]*scope.Policy
}

// holds reports whether a finding of the prediction is certain for what was read. A kind that is not among manifests
// may be in the cluster; what is predicted of selectors says nothing where the cluster has others; and the prediction
// does not look at autogen where it says what Kyverno may put in a policy's place.
func (h *hazards) holds(f webhooks.Finding) bool {
	switch f.Kind {
	case kindNotFound:
		return h.in.Complete && len(h.in.Undiscovered) == 0 && f.Severity != webhooks.Info
	case mayBeReplaced:
		return !slices.ContainsFunc(f.Policies, h.isExtended)
	case neverCalled, neverApplies, overwrittenLabels:
		return !slices.ContainsFunc(f.Policies, h.isCalled)
	}
	return true
}

// isExtended reports whether autogen extends a policy to controllers; Kyverno writes none of the API server's own
// policies in place of such a one.
func (h *hazards) isExtended(r webhooks.Ref) bool {
	p := h.policies[r]
	return p != nil && layersOf(p).rules != nil && len(layersOf(p).rules.Derived()) > 0
}

// isCalled reports whether a webhook of the cluster lets something through that the policy is for.
func (h *hazards) isCalled(r webhooks.Ref) bool {
	p := h.policies[r]
	if p == nil {
		return false
	}
	l := layersOf(p)
	if l.rules == nil {
		return false
	}
	own := selector.Pair{Namespace: l.namespace.Selector.Extent(), Object: l.object.Selector.Extent()}
	return len(l.rules.Written().Rules) > 0 && l.served.ride.some(func(e *entry) bool {
		return e.observed && !selector.PairOf(e.policy).And(own).Empty()
	})
}

// finding puts a finding of the prediction into the words of all findings: in the first of its policies, and about the
// others as much.
func (h *hazards) finding(f webhooks.Finding) hazard.Finding {
	found := hazard.Finding{
		Rule: prefix + f.Kind, Severity: hazard.Severity(f.Severity), Entry: f.Entry,
		Message: f.Message, Why: f.Why, Fix: f.Fix,
	}
	if len(f.Policies) == 0 {
		// What is in no policy is in the ConfigMap.
		found.Kind, found.Name, found.Field = configKind.Kind, config.Name, "data"
		found.Namespace = h.report.Namespace
		return found
	}
	h.place(&found, f.Policies)
	found.Field = fieldOf(f.Kind, f.Policies[0])
	return found
}

// place puts a finding into policies.
func (h *hazards) place(f *hazard.Finding, policies []webhooks.Ref) {
	f.Kind, f.Namespace, f.Name = string(policies[0].Kind), policies[0].Namespace, policies[0].Name
	f.Policy = h.policies[policies[0]]
	for i, r := range policies[1:] {
		if !slices.Contains(policies[:i+1], r) {
			f.Also = append(f.Also, hazard.Ref{Kind: string(r.Kind), Namespace: r.Namespace, Name: r.Name})
		}
	}
}

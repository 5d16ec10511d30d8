package webhooks

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
)

// derived are the policies for controllers whose rules get into the webhook. Releases leave some kinds out, in webhooks
// for one policy or in shared ones; the engine has the derived policies all the same.
func (b *builder) derived(c call, p *api.Policy, alone bool) []autogen.Derived {
	derived, unsure := autogen.Of(p, b.in.Release, b.in.Resources)
	if len(unsure) > 0 {
		b.unsureControllers(p, unsure)
	}
	switch r := b.in.Release; {
	case len(derived) == 0:
		return nil
	case alone && c.kind == api.NamespacedImageValidatingPolicy && r.AtLeast(1, 17, 2),
		!alone && c.kind == api.NamespacedValidatingPolicy && !r.AtLeast(1, 19, 1):
		b.missingControllers(c, p, derived)
		return nil
	}
	for _, d := range derived {
		if d.Match == nil {
			b.crashes(c, []Ref{RefOf(p)}, "",
				"Its rule for pods names no operation, and from that Kyverno makes no rule for controllers, but uses it.")
			break
		}
	}
	return derived
}

// own are the rules that a policy names itself. One that generates is told of all operations.
func (b *builder) own(c call, p *api.Policy) []v1.RuleWithOperations {
	rules := rulesOf(p.Spec.MatchConstraints)
	if generates(c.kind) {
		for i := range rules {
			rules[i].Operations = []v1.OperationType{v1.Create, v1.Update, v1.Delete, v1.Connect}
		}
	}
	return rules
}

// rulesOf drops the names of resources, which a webhook's rules do not have.
func rulesOf(match *v1.MatchResources) []v1.RuleWithOperations {
	if match == nil {
		return nil
	}
	var rules []v1.RuleWithOperations
	for _, r := range match.ResourceRules {
		rules = append(rules, r.RuleWithOperations)
	}
	return rules
}

func (b *builder) failurePolicy(p *api.Policy) v1.FailurePolicyType {
	asked := p.Spec.FailurePolicy
	if b.in.Flags.ForceFailurePolicyIgnore || generates(p.PolicyKind()) || asked != nil && *asked == v1.Ignore {
		return v1.Ignore
	}
	return v1.Fail
}

// setRules puts the rules in the order in which Kyverno sends them. Before they were sorted, and for one kind until
// now, that is the order in which a Go map happens to be walked.
func (b *builder) setRules(c call, e *Entry, rules []v1.RuleWithOperations) {
	e.Rules, e.Unordered = rules, c.unordered
	if c.unordered {
		return
	}
	if b.in.Release.AtLeast(1, 17, 0) || b.in.Release.Sorted() {
		e.Rules = unique(e.Rules)
	}
	if !b.in.Release.Sorted() {
		e.Unordered = true
		return
	}
	var crash *v1.RuleWithOperations
	if e.Rules, crash = ordered(e.Rules); crash != nil {
		b.crashes(c, e.Givers, e.Name, "The rule for "+describe(*crash)+" stands in it once with a scope and once without.")
	}
}

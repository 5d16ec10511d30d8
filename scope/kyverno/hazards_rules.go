package kyverno

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// prefix begins the names of all rules for policies of Kyverno.
const prefix = "kyverno-"

// The kinds of finding that need more than their words.
const (
	neverCalled       = "never-called"
	neverApplies      = "never-applies"
	overwrittenLabels = "overwritten-labels"
	kindNotFound      = "kind-not-found"
	mayBeReplaced     = "may-be-replaced"
)

// wholePolicy is the place of what has none of its own.
const wholePolicy = "spec"

// hazardRule is a rule with the place in a policy at which its findings stand.
type hazardRule struct {
	hazard.Rule
	field string
}

// hazardRules are the rules for policies of Kyverno: the findings of a prediction and the differences by their kinds,
// in the order of the documentation. Findings of a prediction bring their own Why and Fix, which say more than these.
var hazardRules = slices.Concat(unreachedRules, unwritableRules, otherRules, differenceRules)

// HazardRules implements hazard.Kind.
func (c *Compiler) HazardRules() []hazard.Rule {
	all := make([]hazard.Rule, len(hazardRules))
	for i, r := range hazardRules {
		all[i] = r.Rule
	}
	return all
}

// fieldOf is where in a policy a finding stands: in a policy of the group kyverno.io, whose fields are others, in the
// rules if it is about what it matches.
func fieldOf(kind string, r webhooks.Ref) string {
	i := slices.IndexFunc(hazardRules, func(one hazardRule) bool { return one.Name == prefix+kind })
	field := hazardRules[i].field
	switch {
	case !isLegacy(r.Kind):
		return field
	case field == matchField || kind == kindNotFound:
		return "spec.rules"
	}
	return wholePolicy
}

const matchField = "spec.matchConstraints"

// entryField is the path of a webhook of the cluster in its configuration.
func entryField(p *scope.Policy) string {
	for _, layer := range p.Layers {
		if l, ok := layer.(*rule.Rules); ok {
			return l.RulesField[:len(l.RulesField)-len(".rules")]
		}
	}
	return "webhooks"
}

// refOfPolicy names a policy as the prediction does.
func refOfPolicy(p *scope.Policy) webhooks.Ref {
	return webhooks.Ref{Kind: api.Kind(p.Kind), Namespace: p.Namespace, Name: p.Name}
}

package admission

import (
	"context"
	"errors"
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
)

// errNoConstraints is the API server's text for a policy that it would not have stored
// (plugin/policy/generic/policy_matcher.go, DefinitionMatches).
var errNoConstraints = errors.New("policy contained no match constraints, a required field")

// Bound is the layer that asks whether a policy and a binding have found each other. A
// policy without a binding, and a binding whose policy does not exist, have no effect.
type Bound struct {
	policy                        string
	missingPolicy, missingBinding bool
}

// Name implements scope.Layer.
func (l *Bound) Name() scope.LayerName { return scope.Binding }

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Bound) ReadsOnlyResource() bool { return true }

// Decide implements scope.Layer.
func (l *Bound) Decide(context.Context, scope.Question) scope.Step {
	if l.missingBinding || l.missingPolicy {
		return scope.Step{Outcome: scope.NoMatch}
	}
	return scope.Step{Outcome: scope.Match}
}

// Missing says what is missing, as a sentence, or returns the empty string.
func (l *Bound) Missing() string {
	switch {
	case l.missingPolicy:
		return fmt.Sprintf("The binding names policy %s, which does not exist.", l.policy)
	case l.missingBinding:
		return "No binding names this policy, so it is never evaluated."
	}
	return ""
}

// Explain implements scope.Layer.
func (l *Bound) Explain(context.Context, scope.Question, scope.Step) []scope.Reason {
	switch {
	case l.missingPolicy:
		return []scope.Reason{{Field: "spec.policyName", Want: "policy " + l.policy, Got: "no such policy", Outcome: scope.NoMatch, Message: l.Missing()}}
	case l.missingBinding:
		return []scope.Reason{{Want: "a binding", Got: "none", Outcome: scope.NoMatch, Message: l.Missing()}}
	}
	return nil
}

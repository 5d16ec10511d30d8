package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
)

// conditions is a list of match conditions as Kyverno evaluates them: one after the other, until one is false; errors
// count only if none is (vpol/compiler/policy.go, match). They see namespaceObject, which those in a webhook do not.
//
// Kyverno's own libraries and variables are not here. A condition with them is a question that stays open.
type conditions []single

// single is one condition. Kyverno has no budget that conditions share, and each is evaluated alone.
type single struct {
	*condition.Conditions
	// foreign is why it cannot be evaluated here; empty if it can.
	foreign string
}

// newConditions compiles conditions. Field is the path of their list.
func (r Room) newConditions(list []v1.MatchCondition, field string, onError scope.Effect) conditions {
	all := make(conditions, len(list))
	for i := range list {
		c := r.Conditions.Compile(list[i:i+1], field, false)
		c.OnError, c.NamespaceOf = onError, namespaceObject
		c.Conditions[0].Field = fmt.Sprintf("%s[%d].expression", field, i)
		all[i] = single{c, foreign(c.Conditions[0])}
	}
	return all
}

// foreign says what a condition needs that only Kyverno has. The environment of its engine is that of the API server
// without an authorizer, and with libraries of its own (vpol/compiler/compiler.go, createBaseVpolEnv).
func foreign(c condition.Condition) string {
	switch {
	case strings.Contains(c.Expression, "authorizer"):
		return "what Kyverno makes of a condition with the authorizer, which it does not know"
	case c.Err == nil:
		return ""
	case strings.Contains(c.Expression, "variables."):
		return "the policy's variables, which only Kyverno evaluates"
	case strings.Contains(c.Err.Error(), "undeclared reference"), strings.Contains(c.Err.Error(), "no matching overload"):
		return "what an expression comes to that only Kyverno's CEL libraries can evaluate"
	}
	return "whether Kyverno can compile an expression that the API server cannot: " + firstLine(c.Err)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// said is what a list of conditions came to.
type said struct {
	outcome scope.StepOutcome
	missing []scope.Missing
	err     error
	steps   []scope.Step
}

// decide evaluates the conditions about a request as Kyverno received it.
func (c conditions) decide(ctx context.Context, q scope.Question) said {
	all := said{outcome: scope.Match}
	for _, one := range c {
		step := one.decide(ctx, q)
		all.steps = append(all.steps, step)
		switch step.Outcome {
		case scope.NoMatch:
			return said{outcome: scope.NoMatch, steps: all.steps}
		case scope.Open:
			all.outcome = scope.Open
			all.missing = append(all.missing, step.Missing...)
		case scope.Failed:
			all.err = errors.Join(all.err, step.Err)
		}
	}
	if all.outcome == scope.Match && all.err != nil {
		all.outcome = scope.Failed
	}
	return all
}

// costly is what an expression depends on that spends the API server's budget. Kyverno has none.
var costly = scope.Missing{Path: "object", Fact: "what an expression comes to that costs more than the API server allows"}

func (s single) decide(ctx context.Context, q scope.Question) scope.Step {
	if s.foreign != "" {
		return scope.Step{Outcome: scope.Open, Missing: []scope.Missing{{Path: "object", Fact: s.foreign}}}
	}
	step := s.Decide(ctx, q)
	if step.Outcome == scope.Failed && errors.Is(step.Err, apiservercel.ErrOutOfBudget) {
		return scope.Step{Outcome: scope.Open, Missing: []scope.Missing{costly}}
	}
	return step
}

// explain gives a reason for each condition that was evaluated.
func (c conditions) explain(ctx context.Context, q scope.Question, s said) []scope.Reason {
	var reasons []scope.Reason
	for i, step := range s.steps {
		one := c[i]
		if step.Detail != nil {
			reasons = append(reasons, one.Explain(ctx, q, step)...)
			continue
		}
		written := one.Conditions.Conditions[0]
		reason := step.Missing[0].Reason()
		reason.Field, reason.Want = written.Field, written.Expression
		reasons = append(reasons, reason)
	}
	return reasons
}

func (c conditions) reads(q scope.Question) scope.Reads {
	var all []scope.Reads
	for _, one := range c {
		if one.foreign == "" {
			all = append(all, one.Reads(q))
		}
	}
	return scope.JoinReads(all...)
}

// step makes a layer's step of what conditions came to.
func (s said) step(stage scope.Stage, onError scope.Effect) scope.Step {
	step := scope.Step{Outcome: s.outcome, Stage: stage, Missing: s.missing, Detail: s}
	if s.outcome == scope.Failed {
		step.Err, step.OnError = s.err, onError
	}
	return step
}

package engine

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// Selection is the layer in which Kyverno picks the policies that it evaluates at all, whatever they match: those of
// the request's namespace, and none that work in another way (pkg/webhooks/resource/{vpol,mpol,gpol,ivpol}/handler.go).
type Selection struct {
	policy *api.Policy
	// never is why the policy is evaluated for no request; empty if it may be.
	never scope.Reason
}

func (r Room) selection(p *api.Policy) *Selection {
	l := &Selection{policy: p}
	kind := p.PolicyKind()
	switch {
	case p.Spec.Evaluation != nil && p.Spec.Evaluation.Mode == "JSON":
		l.never = scope.Reason{
			Field: "spec.evaluation.mode", Want: "JSON", Got: "a request of admission",
			Message: "A policy in JSON mode is evaluated for payloads that Kyverno is given as JSON, and for no request of admission.",
		}
	case mutates(kind) && hasTargets(p):
		l.never = scope.Reason{
			Field: "spec.targetMatchConstraints", Want: "other objects than that of the request",
			Message: "The policy changes other objects than the one in the request, which may start that in the background.",
		}
	case p.Status.Generated:
		l.never = scope.Reason{
			Field: "status.generated", Want: "false", Got: "true",
			Message: "Kyverno wrote a policy of the API server's own kind in its place, and does not evaluate it itself.",
		}
	}
	l.never.Outcome = scope.NoMatch
	return l
}

// hasTargets reports whether a policy that mutates has its own choice of objects (mpol/engine/predicate.go,
// NoTargetMatchConstraintPolicy).
func hasTargets(p *api.Policy) bool {
	if p.Spec.Targets == nil {
		return false
	}
	expression := ""
	if p.Written != nil {
		expression, _, _ = unstructured.NestedString(p.Written.Object, "spec", "targetMatchConstraints", "expression")
	}
	return len(p.Spec.Targets.ResourceRules) > 0 || expression != ""
}

// Name implements scope.Layer.
func (l *Selection) Name() scope.LayerName { return scope.Selection }

// Decide implements scope.Layer.
func (l *Selection) Decide(_ context.Context, q scope.Question) scope.Step {
	step := scope.Step{Outcome: scope.Match, Stage: scope.StageReceived}
	if l.why(q) != nil {
		step.Outcome = scope.NoMatch
	} else if missing := l.background(q); missing != nil {
		step.Outcome, step.Missing = scope.Open, []scope.Missing{*missing}
	}
	return step
}

// why is why the policy is not evaluated for a request; nil if it may be.
func (l *Selection) why(q scope.Question) *scope.Reason {
	kind := l.policy.PolicyKind()
	switch {
	case l.never.Message != "":
		return &l.never
	case kind.Namespaced() && q.Request.Namespace != l.policy.Namespace:
		reason := l.home(q, scope.NoMatch)
		reason.Message = "A policy in a namespace is evaluated for requests in this namespace alone."
		return &reason
	case generates(kind) && q.Request.DryRun:
		return &scope.Reason{
			Want: "no dry run", Got: "dry run", Path: "request.dryRun", Outcome: scope.NoMatch,
			Message: "A policy that generates is evaluated after the answer, and not for a dry run.",
		}
	case generates(kind) && q.Request.Operation == admission.Delete && !l.namesDelete():
		return &scope.Reason{
			Field: matchField + ".resourceRules", Want: "a rule that names DELETE", Got: "DELETE", Path: "request.operation",
			Outcome: scope.NoMatch,
			Message: "Where no rule names DELETE, Kyverno evaluates nothing: it removes what it generated, if synchronize is on.",
		}
	}
	return nil
}

// namesDelete reports whether a rule has the operation itself; a star is not enough (gpol/handler.go, Generate).
func (l *Selection) namesDelete() bool {
	return slices.ContainsFunc(l.policy.Match().ResourceRules, func(r v1.NamedRuleWithOperations) bool {
		return slices.Contains(r.Operations, v1.Delete)
	})
}

// Explain implements scope.Layer.
func (l *Selection) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	switch {
	case step.Outcome == scope.NoMatch:
		return []scope.Reason{*l.why(q)}
	case step.Outcome == scope.Open:
		reason := step.Missing[0].Reason()
		reason.Field, reason.Got = "spec.evaluation.skipBackgroundRequests", q.Request.User.Username
		return []scope.Reason{reason}
	case l.policy.PolicyKind().Namespaced():
		return []scope.Reason{l.home(q, scope.Match)}
	}
	return nil
}

// Reads implements scope.Reader.
func (l *Selection) Reads(scope.Question) scope.Reads {
	return scope.Reads{Namespace: l.policy.PolicyKind().Namespaced(), AnyResource: true}
}

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Selection) ReadsOnlyResource() bool {
	kind := l.policy.PolicyKind()
	return l.never.Message != "" || !kind.Namespaced() && !mutates(kind) && !generates(kind)
}

// Key implements scope.Keyed for a layer that reads nothing.
func (l *Selection) Key() string {
	if l.ReadsOnlyResource() {
		return fmt.Sprint("selection ", l.never.Message != "")
	}
	return ""
}

// home sets the policy's namespace beside that of a request.
func (l *Selection) home(q scope.Question, outcome scope.StepOutcome) scope.Reason {
	reason := scope.Reason{
		Field: "metadata.namespace", Want: l.policy.Namespace, Got: q.Request.Namespace, Path: "request.namespace", Outcome: outcome,
	}
	if reason.Got == "" {
		reason.Got = "no namespace"
	}
	return reason
}

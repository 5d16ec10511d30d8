package engine

import (
	"context"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
)

// Exceptions are the PolicyExceptions of the group policies.kyverno.io.
type Exceptions struct {
	All []*api.Exception
	// Unread is set if there may be others, which could not be read.
	Unread *scope.Missing
	// Accepted says whether Kyverno accepts exceptions from a namespace (--enablePolicyException,
	// --exceptionNamespace): Match, NoMatch or Open. Nil leaves it open.
	Accepted func(namespace string) scope.StepOutcome
}

// Exempt is the layer of exceptions that name the policy. It does not match a request that an exception exempts
// (vpol/compiler/policy.go, evaluateWithData). One that is for some images or values exempts these from the policy's
// checks, and not the request from the policy.
type Exempt struct {
	*matching
	exceptions []exception
	unread     *scope.Missing
	stage      scope.Stage
	onError    scope.Effect
	// ignores says that a failed condition counts as a false one.
	ignores bool
}

type exception struct {
	*api.Exception
	conditions conditions
	accepted   scope.StepOutcome
}

// exceptionsOf finds the exceptions that name a policy, by kind and name: a policy of that name in another namespace is
// meant as well (pkg/cel/engine/exception.go, ListExceptions). Those that have expired are dropped, but not by policies
// that generate (gpol/engine/fetch.go, Get).
func (r Room) exceptionsOf(p *api.Policy, m *matching, stage scope.Stage) *Exempt {
	l := &Exempt{matching: m, unread: r.Exceptions.Unread, stage: stage, onError: r.onError(p)}
	l.ignores = !mutates(p.PolicyKind()) && !generates(p.PolicyKind()) && r.FailurePolicy(p) == v1.Ignore
	for _, e := range r.Exceptions.All {
		expired := e.Spec.ExpiresAt != nil && r.Now.After(e.Spec.ExpiresAt.Time) && !generates(p.PolicyKind())
		names := slices.Contains(e.Spec.PolicyRefs, api.PolicyRef{Name: p.Name, Kind: p.Kind})
		accepted := scope.Open
		if r.Exceptions.Accepted != nil {
			accepted = r.Exceptions.Accepted(e.Namespace)
		}
		if !names || expired || accepted == scope.NoMatch {
			continue
		}
		asked := r.newConditions(e.Spec.MatchConditions, pathOf(e)+".spec.matchConditions", l.onError)
		l.exceptions = append(l.exceptions, exception{e, asked, accepted})
	}
	return l
}

// whole reports whether the exception exempts requests, and not some images or values.
func (e exception) whole() bool { return len(e.Spec.Images)+len(e.Spec.AllowedValues) == 0 }

// pathOf names an exception as a fact.
func pathOf(e *api.Exception) string { return "policyexception/" + e.Namespace + "/" + e.Name }

// Name implements scope.Layer.
func (l *Exempt) Name() scope.LayerName { return scope.Exceptions }

// verdict is the layer's note: the exception that decided, or would decide, and what its conditions said.
type verdict struct {
	exception exception
	said      said
}

// Decide implements scope.Layer. A condition that fails is an error of the policy, unless an exception before it has
// exempted the request; in a policy that validates under failurePolicy Ignore the exception does not match then.
func (l *Exempt) Decide(ctx context.Context, q scope.Question) scope.Step {
	step := scope.Step{Outcome: scope.Match, Stage: l.stage}
	open := func(note verdict, missing ...scope.Missing) {
		if step.Outcome != scope.Open {
			step.Outcome, step.Detail = scope.Open, note
		}
		step.Missing = append(step.Missing, missing...)
	}
	for _, e := range l.exceptions {
		s := l.ask(ctx, q, e)
		note := verdict{e, s}
		switch {
		case s.outcome == scope.NoMatch, s.outcome == scope.Match && !e.whole():
		case s.outcome == scope.Failed && l.ignores:
		case s.outcome == scope.Open:
			open(note, s.missing...)
		case e.accepted == scope.Open:
			fact := "whether Kyverno accepts exceptions from namespace " + e.Namespace
			open(note, scope.Missing{Path: pathOf(e.Exception), Fact: fact + " (--enablePolicyException, --exceptionNamespace)"})
		case s.outcome == scope.Match:
			return scope.Step{Outcome: scope.NoMatch, Stage: l.stage, Detail: note}
		case step.Outcome == scope.Match:
			return scope.Step{Outcome: scope.Failed, Stage: l.stage, Err: s.err, OnError: l.onError, Detail: note}
		}
	}
	if l.unread != nil {
		step.Outcome, step.Missing = scope.Open, append(step.Missing, *l.unread)
	}
	return step
}

// ask evaluates the conditions of an exception. In a custom controller they are evaluated for each Pod's template.
func (l *Exempt) ask(ctx context.Context, q scope.Question, e exception) said {
	if len(e.conditions) > 0 && l.variant(ctx, q).derived == autogen.Extract {
		return said{outcome: scope.Open, missing: []scope.Missing{templates}}
	}
	return e.conditions.decide(ctx, received(q))
}

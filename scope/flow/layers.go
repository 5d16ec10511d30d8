package flow

import (
	"context"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// Exempt is the layer of requests that pass flow control without being classified.
type Exempt struct{}

// Subjects is the layer that asks who the request comes from.
type Subjects struct{ Schema *Schema }

// Rules is the layer that asks what the request is for: a resource, or with NonResource
// another URL. A rule counts if one of its own subjects matches.
type Rules struct {
	Schema      *Schema
	NonResource bool
}

// Precedence is the layer that asks whether another schema takes the request first.
type Precedence struct {
	Schema *Schema
	Order  *Order
}

// Name implements scope.Layer.
func (l *Exempt) Name() scope.LayerName { return scope.Exemption }

// Name implements scope.Layer.
func (l *Subjects) Name() scope.LayerName { return scope.Subjects }

// Name implements scope.Layer.
func (l *Rules) Name() scope.LayerName {
	if l.NonResource {
		return scope.NonResourceRules
	}
	return scope.ResourceRules
}

// Name implements scope.Layer.
func (l *Precedence) Name() scope.LayerName { return scope.Precedence }

// Decide implements scope.Layer.
func (l *Exempt) Decide(_ context.Context, q scope.Question) scope.Step {
	who := newAsker(q.Input)
	return eachVerb(q.Input, func(verb string) scope.Step {
		if d := digestOf(&who, q.Input, verb); d.bypasses() {
			return scope.Step{Outcome: scope.NoMatch}
		}
		return scope.Step{Outcome: scope.Match}
	})
}

// Decide implements scope.Layer.
func (l *Subjects) Decide(_ context.Context, q scope.Question) scope.Step {
	who := newAsker(q.Input)
	outcome := who.among(l.Schema.subjects())
	if l.Schema.isFallback() {
		outcome = scope.Match
	}
	step := scope.Step{Outcome: outcome}
	if outcome == scope.Open {
		step.Missing = who.missing
	}
	return step
}

// Decide implements scope.Layer. Where a rule of somebody else's covers the request, the
// layer does not match; where nobody's does, it says what it would say to the subjects.
func (l *Rules) Decide(_ context.Context, q scope.Question) scope.Step {
	if q.Request.Access.ForResource() == l.NonResource {
		return scope.Step{Outcome: scope.Match, Aside: true}
	}
	if l.Schema.isFallback() {
		return scope.Step{Outcome: scope.Match}
	}
	who := newAsker(q.Input)
	return eachVerb(q.Input, func(verb string) scope.Step {
		d := digestOf(&who, q.Input, verb)
		covered, outcome := l.considered(&who, &d)
		if who.among(l.Schema.subjects()) == scope.Match && outcome == scope.Open {
			return scope.Step{Outcome: scope.Open, Missing: who.missing}
		}
		if covered && outcome != scope.NoMatch {
			return scope.Step{Outcome: scope.Match}
		}
		return scope.Step{Outcome: scope.NoMatch}
	})
}

// considered says whether a rule that counts covers the request, and whether its subjects
// match. Rules whose subjects do not match count only where no subject of any rule does.
func (l *Rules) considered(who *asker, d *Digest) (covered bool, outcome scope.StepOutcome) {
	w := walk{digest: *d}
	if outcome, _ = w.match(who, l.Schema); outcome != scope.NoMatch {
		return true, outcome
	}
	if who.among(l.Schema.subjects()) != scope.NoMatch {
		return false, scope.NoMatch
	}
	for i := range l.Schema.Spec.Rules {
		if d.covered(&l.Schema.Spec.Rules[i]) {
			return true, scope.Match
		}
	}
	return false, scope.NoMatch
}

// Decide implements scope.Layer. Only the verbs count with which the rules may match at
// all; where there is none, it says what it would say if they did.
func (l *Precedence) Decide(_ context.Context, q scope.Question) scope.Step {
	at := slices.Index(l.Order.Schemas, l.Schema)
	walks := l.Order.walks(q.Input)
	matching := slices.DeleteFunc(slices.Clone(walks), func(w walk) bool { return w.stops[at].own == scope.NoMatch })
	if len(matching) == 0 || l.Schema.isFallback() {
		matching = walks
	}
	var steps []scope.Step
	for i := range matching {
		steps = append(steps, l.reached(&matching[i].stops[at]))
	}
	step := combine(steps)
	step.Stage = scope.StageOrder
	return step
}

// reached says whether a request gets as far as the schema, and is not ignored there.
func (l *Precedence) reached(here *stop) scope.Step {
	switch {
	case l.Schema.Dangling():
		return scope.Step{Outcome: scope.NoMatch}
	case here.reached == scope.NoMatch:
		return scope.Step{Outcome: scope.NoMatch, Detail: here.taker}
	case l.Schema.HasLevel != scope.Present:
		return scope.Step{Outcome: scope.Open, Missing: appendMissing(here.missing, levelMissing(l.Schema), true)}
	}
	return scope.Step{Outcome: here.reached, Missing: here.missing}
}

// verbMissing is what decides where the verbs that a request may have make a difference.
var verbMissing = scope.Missing{Path: "request.verb", Fact: "the verb with which it is sent"}

// eachVerb asks for each verb that the request may have.
func eachVerb(in *scope.Input, ask func(verb string) scope.Step) scope.Step {
	steps := make([]scope.Step, len(in.Request.Access.Verbs))
	for i, verb := range in.Request.Access.Verbs {
		steps[i] = ask(verb)
	}
	return combine(steps)
}

// combine makes one step of those for the different verbs.
func combine(steps []scope.Step) scope.Step {
	first := steps[0]
	for _, s := range steps[1:] {
		if s.Outcome != first.Outcome {
			missing := []scope.Missing{verbMissing}
			for _, s := range steps {
				missing = appendMissing(missing, s.Missing, true)
			}
			return scope.Step{Outcome: scope.Open, Missing: missing}
		}
	}
	return first
}

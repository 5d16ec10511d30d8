package flow

import (
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// walk is how a request, sent with one verb, is passed from schema to schema.
type walk struct {
	digest Digest
	stops  []stop
	// chosen is the schema that takes the request if none of the candidates before it does.
	// It takes it for sure if there are no candidates.
	chosen     *Schema
	candidates []*Schema
	fallback   bool
}

// stop is one schema on the way.
type stop struct {
	// own says whether the rules of the schema match.
	own scope.StepOutcome
	// reached says whether the request gets as far as this schema; taker is the one that
	// takes it for sure before, and missing what decides where that is open.
	reached scope.StepOutcome
	taker   *Schema
	missing []scope.Missing
	// subjects are those of the rules that cover what the request is for, and of whom it is
	// open whether they ask.
	subjects []flowcontrolv1.Subject
}

// walks returns one walk for each verb that the request may have. They are worked out
// once for all schemas.
func (o *Order) walks(in *scope.Input) []walk {
	return scope.Once(in, o, func() []walk {
		who := newAsker(in)
		walks := make([]walk, len(in.Request.Access.Verbs))
		for i, verb := range in.Request.Access.Verbs {
			walks[i] = o.walk(&who, in, verb)
		}
		return walks
	})
}

func digestOf(who *asker, in *scope.Input, verb string) Digest {
	a := &in.Request.Access
	return Digest{
		User: who.name, Groups: who.groups, Verb: verb, Path: a.Path,
		APIGroup: a.APIGroup, Resource: a.Resource, Subresource: a.Subresource, Namespace: a.Namespace,
	}
}

// walk passes a request from schema to schema. What earlier schemas take for sure from
// some subjects cannot reach later ones, even where it is open who asks.
func (o *Order) walk(who *asker, in *scope.Input, verb string) walk {
	w := walk{digest: digestOf(who, in, verb), stops: make([]stop, len(o.Schemas))}
	taken := takings{}
	var missing []scope.Missing
	for i, s := range o.Schemas {
		here := &w.stops[i]
		here.own, here.subjects = w.match(who, s)
		here.reached, here.taker, here.missing = scope.Match, w.chosen, missing
		switch {
		case w.chosen != nil:
			here.reached = scope.NoMatch
			continue
		case taken.all(here.subjects) != nil:
			here.reached, here.taker = scope.NoMatch, taken.all(here.subjects)
			continue
		case len(w.candidates) > 0:
			here.reached = scope.Open
		}
		if s.Dangling() || here.own == scope.NoMatch {
			continue
		}
		certain := s.HasLevel == scope.Present
		if here.own == scope.Match && certain {
			w.chosen = s
			continue
		}
		w.candidates = append(w.candidates, s)
		missing = appendMissing(missing, who.missing, here.own == scope.Open)
		missing = appendMissing(missing, levelMissing(s), !certain)
		if certain {
			if taken.add(here.subjects, s); areEverybody(taken.subjects) {
				w.chosen, w.candidates = s, w.candidates[:len(w.candidates)-1]
			}
		}
	}
	o.fallBack(&w)
	return w
}

// fallBack gives what no schema takes to catch-all, whatever its rules say.
func (o *Order) fallBack(w *walk) {
	for i, s := range o.Schemas {
		if !s.isFallback() || s.HasLevel != scope.Present {
			continue
		}
		here := &w.stops[i]
		if w.chosen == nil {
			w.chosen, w.fallback = s, here.own != scope.Match
			w.candidates = slices.DeleteFunc(w.candidates, func(c *Schema) bool { return c == s })
			if here.own != scope.Match && len(w.candidates) > 0 {
				here.reached = scope.Open
			}
		} else if here.own != scope.Match && w.chosen != s && here.reached != scope.NoMatch {
			// A schema behind catch-all takes what the rules of catch-all leave.
			here.reached, here.taker = scope.NoMatch, w.chosen
			if here.own == scope.Open {
				here.reached = scope.Open
			}
		}
	}
}

// match says whether the rules of a schema match, and whom that depends on.
func (w *walk) match(who *asker, s *Schema) (scope.StepOutcome, []flowcontrolv1.Subject) {
	var subjects []flowcontrolv1.Subject
	for i := range s.Spec.Rules {
		if rule := &s.Spec.Rules[i]; w.digest.covered(rule) {
			subjects = append(subjects, rule.Subjects...)
		}
	}
	outcome := who.among(subjects)
	if outcome != scope.Open {
		return outcome, nil
	}
	return outcome, slices.DeleteFunc(subjects, func(s flowcontrolv1.Subject) bool { return who.subject(s) != scope.Open })
}

// takings are the subjects whose request some schema takes for sure if it comes from them.
type takings struct {
	subjects []flowcontrolv1.Subject
	by       []*Schema
}

func (t *takings) add(subjects []flowcontrolv1.Subject, by *Schema) {
	for _, s := range subjects {
		t.subjects, t.by = append(t.subjects, s), append(t.by, by)
	}
}

// all returns a schema that takes the request from the first of the subjects, provided
// that it is taken from each of them.
func (t *takings) all(subjects []flowcontrolv1.Subject) *Schema {
	var taker *Schema
	for _, s := range subjects {
		i := slices.IndexFunc(t.subjects, func(by flowcontrolv1.Subject) bool { return implied(s, by) })
		if i < 0 {
			return nil
		}
		if taker == nil {
			taker = t.by[i]
		}
	}
	return taker
}

func levelMissing(s *Schema) []scope.Missing {
	name := s.Spec.PriorityLevelConfiguration.Name
	return []scope.Missing{{Path: "prioritylevelconfiguration/" + name, Fact: "whether the priority level " + name + " exists"}}
}

func appendMissing(to, more []scope.Missing, wanted bool) []scope.Missing {
	for _, m := range more {
		if wanted && !slices.Contains(to, m) {
			to = append(slices.Clip(to), m)
		}
	}
	return to
}

package review

import (
	"context"
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/request"
)

// The bounds of a search for witnesses. A candidate takes some microseconds, and what a person
// reads is a few witnesses.
const (
	mostCandidates = 200_000
	mostSorts      = 6 // for which the words of conditions are tried
	mostWitnesses  = 3 // of one direction
)

// search looks for requests that one side sees and the other does not.
type search struct {
	*pair
	before, after *scope.Set
	tried         int
	found         []Witness
	seen          map[string]bool
	per           map[Direction]int
}

// search tries all sorts of request with all sets of labels that may make a difference; and
// then, with the words that the conditions have, those sorts that the rules let pass.
func (p *pair) search(ctx context.Context) ([]Witness, error) {
	s := &search{pair: p, before: setOf(p.before), after: setOf(p.after), found: []Witness{}, seen: map[string]bool{}, per: map[Direction]int{}}
	words := p.words()
	passing, err := s.trySorts(ctx, len(words) > 0)
	if err != nil {
		return nil, err
	}
	for _, c := range passing {
		for i, word := range words {
			for _, next := range []string{words[(i+1)%len(words)], "true"} {
				for _, varied := range vary(c, word, next) {
					if _, err := s.try(ctx, varied); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return s.found, nil
}

// trySorts tries every sort of request, and returns some of the candidates that the rules let
// pass, if they are wanted.
func (s *search) trySorts(ctx context.Context, wanted bool) (passing []candidate, err error) {
	places, objects := s.places(), s.labelSets(ofObjects)
	namespaces := slices.Concat(s.labelSets(ofBoth), objects, s.labelSets(ofNamespaces))
	for _, sort := range s.sorts() {
		sets, within := objects, places
		if sort.resource.Kind == namespaceKind {
			sets = namespaces
		}
		if !sort.resource.Namespaced {
			within = places[:1] // It makes no difference which.
		}
		for _, where := range within {
			for c := range candidates(sort, where, sets) {
				ruled, err := s.try(ctx, c)
				if err != nil || s.done() {
					return passing, err
				}
				if ruled && wanted && len(passing) < mostSorts*len(places)*len(sets) {
					passing = append(passing, c)
				}
			}
		}
	}
	return passing, nil
}

// candidates gives the requests of a sort in a namespace. An update may change the labels.
func candidates(s sort, where place, sets []labels.Set) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		for _, set := range sets {
			before := []labels.Set{set}
			if s.operation == admission.Update {
				before = append(before, sets...)
			}
			for _, old := range before {
				c := candidate{resource: s.resource, operation: s.operation, name: s.name, labels: set, old: old, user: somebody, namespace: where.Namespace, known: where.known}
				if !yield(c) {
					return
				}
			}
		}
	}
}

// setOf is a set of one policy, or of none.
func setOf(p *scope.Policy) *scope.Set {
	if p == nil {
		return scope.NewSet(nil)
	}
	return scope.NewSet([]*scope.Policy{p})
}

// done reports whether there is enough, or whether the search has taken enough.
func (s *search) done() bool {
	return s.tried >= mostCandidates || s.per[Lost] >= mostWitnesses && s.per[Gained] >= mostWitnesses
}

// try asks both sides about a candidate, and reports whether one of them would see it but for labels and conditions.
func (s *search) try(ctx context.Context, c candidate) (ruled bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if s.done() {
		return false, nil
	}
	s.tried++
	r := c.request()
	before, err := ending(ctx, s.before, r, c.facts(s.in.Before.Facts))
	if err != nil {
		return false, err
	}
	after, err := ending(ctx, s.after, r, c.facts(s.in.After.Facts))
	if err != nil {
		return false, err
	}
	ruled = !keptOut(before) || !keptOut(after)
	if direction, by := differ(before, after); direction != "" && s.per[direction] < mostWitnesses {
		return ruled, s.confirm(ctx, c, direction, by)
	}
	return ruled, nil
}

// keptOut reports whether a side has nothing to do with a request because of what it is for.
func keptOut(e scope.Ending) bool {
	switch e.DecidedBy {
	case scope.ResourceRules, scope.WebhookResourceRules, scope.Exemption, scope.WebhookExemption, absent:
		return e.Outcome == scope.Excluded
	}
	return false
}

// confirm asks both sides about the candidate as anybody would who was given it as an
// AdmissionReview, and takes it for a witness if they still differ.
func (s *search) confirm(ctx context.Context, c candidate, direction Direction, by scope.LayerName) error {
	key := string(direction) + " " + string(by)
	if s.seen[key] {
		return nil
	}
	review, err := c.review()
	if err != nil {
		return err
	}
	var endings [2]scope.Ending
	for i, side := range []struct {
		set   *scope.Set
		facts *scope.Facts
	}{{s.before, s.in.Before.Facts}, {s.after, s.in.After.Facts}} {
		facts := c.facts(side.facts)
		derived, _ := request.FromText("witness", review, 0, request.Ask{}, facts)
		if derived == nil {
			return nil
		}
		if endings[i], err = ending(ctx, side.set, derived.Request, facts); err != nil {
			return err
		}
	}
	if confirmed, layer := differ(endings[0], endings[1]); confirmed != direction || layer != by {
		return nil
	}
	s.seen[key] = true
	s.per[direction]++
	w := Witness{Direction: direction, DecidedBy: by, Request: review, asked: c}
	if namespace, known := c.around(); namespace != nil {
		w.NamespaceLabels, w.MadeUp = namespace.Labels, !known
	}
	s.found = append(s.found, w)
	return nil
}

// absent is what decides where a side does not have the policy.
const absent scope.LayerName = ""

// ending is how a side that has the policy, or has none, ends for a request.
func ending(ctx context.Context, set *scope.Set, r *scope.Request, facts *scope.Facts) (scope.Ending, error) {
	traces, err := set.Explain(ctx, r, facts)
	if err != nil || len(traces) == 0 {
		return scope.Ending{Outcome: scope.Excluded, DecidedBy: absent}, err
	}
	t := traces[0]
	return scope.Ending{Outcome: t.Outcome, DecidedBy: t.DecidedBy, Effect: t.Effect}, nil
}

// differ says whether one side sees a request and the other does not, and which layer of the
// other one keeps it out. A request that an error refuses is seen; what is not known tells
// nothing.
func differ(before, after scope.Ending) (Direction, scope.LayerName) {
	switch {
	case before.Outcome == scope.Unknown || after.Outcome == scope.Unknown || sees(before) == sees(after):
		return "", ""
	case sees(before):
		return Lost, after.DecidedBy
	}
	return Gained, before.DecidedBy
}

func sees(e scope.Ending) bool {
	return e.Outcome == scope.Included || e.Outcome == scope.Error && e.Effect == scope.Rejected
}

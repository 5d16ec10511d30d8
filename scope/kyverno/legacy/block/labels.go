package block

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// labelSelector is a label selector in whose matchLabels keys and values may be patterns. Kyverno puts a label of the
// object in the place of each pattern before it evaluates the selector (pkg/engine/wildcards, ReplaceInSelector).
type labelSelector struct {
	written
	// fixed is the selector without its patterns.
	fixed    *selector.Selector
	patterns []pattern
}

// pattern is an entry of matchLabels with a wildcard.
type pattern struct {
	written
	key, value string
}

func newLabelSelector(field string, s *metav1.LabelSelector) labelSelector {
	l := labelSelector{written: written{field}}
	fixed := &metav1.LabelSelector{MatchLabels: map[string]string{}, MatchExpressions: s.MatchExpressions}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		value := s.MatchLabels[key]
		if kind.HasWildcard(key) || kind.HasWildcard(value) {
			l.patterns = append(l.patterns, pattern{written{field + ".matchLabels[" + strconv.Quote(key) + "]"}, key, value})
			continue
		}
		fixed.MatchLabels[key] = value
	}
	l.fixed = selector.New(fixed, field)
	return l
}

// ask evaluates the selector. One that does not compile matches nothing.
func (l labelSelector) ask(m stringMap) Answer {
	if l.fixed.Err() != nil {
		return No
	}
	var all []Answer
	for i := range l.fixed.Requirements {
		all = append(all, askFixed(&l.fixed.Requirements[i], m))
	}
	for _, p := range l.patterns {
		all = append(all, m.like(p.key, p.value))
	}
	if a := And(all...); a.Outcome != scope.NoMatch || !l.overwritten(m) {
		return a
	}
	return Open(l.chance())
}

// chance is the fact that decides where a requirement that fails may be lost.
func (l labelSelector) chance() scope.Missing {
	return scope.Missing{Path: l.field, Fact: "which of its labels Kyverno reads last, which is left to chance"}
}

func askFixed(r *selector.Requirement, m stringMap) Answer {
	if missing := m.missing(r.Key); len(missing) > 0 {
		return Open(missing...)
	}
	return answer(r.Matches(m.values))
}

// overwritten reports whether every requirement that fails may be lost. The labels that take the place of patterns go
// into one map with those that are written, in no order, so that a pattern which finds the label of another
// requirement may take its place.
func (l labelSelector) overwritten(m stringMap) bool {
	for i := range l.fixed.Requirements {
		r := &l.fixed.Requirements[i]
		if askFixed(r, m).Outcome != scope.NoMatch {
			continue
		}
		// Only an entry of matchLabels can be lost, not an expression.
		if !strings.Contains(r.Field, ".matchLabels[") || !l.taken(r.Key, m, -1) {
			return false
		}
	}
	for i, p := range l.patterns {
		// Where no label is found, zeros stand for the wildcards.
		key := strings.NewReplacer("*", "0", "?", "0").Replace(p.key)
		if m.like(p.key, p.value).Outcome == scope.NoMatch && !l.taken(key, m, i) {
			return false
		}
	}
	return true
}

// taken reports whether a pattern other than one may find the label with a key.
func (l labelSelector) taken(key string, m stringMap, but int) bool {
	value, ok := m.values[key]
	return ok && slices.ContainsFunc(l.patterns, func(p pattern) bool {
		return (but < 0 || p != l.patterns[but]) && kind.Like(p.key, key) && kind.Like(p.value, value)
	})
}

func (l labelSelector) reasons(m stringMap) []scope.Reason {
	if err := l.fixed.Err(); err != nil {
		return []scope.Reason{{
			Field: l.field, Outcome: scope.NoMatch, Message: "The selector cannot be read, so it matches nothing: " + err.Error(),
		}}
	}
	var all []scope.Reason
	for i := range l.fixed.Requirements {
		r := &l.fixed.Requirements[i]
		a := askFixed(r, m)
		got, _ := m.observed(r.Key, "label")
		if a.Outcome == scope.Open {
			got = "not known"
		}
		all = append(all, written{r.Field}.reason(r.String(), got, m.at(r.Key), a))
	}
	for _, p := range l.patterns {
		all = append(all, m.reason(p.written, p.key, p.value, "label", m.like(p.key, p.value)))
	}
	if a := l.ask(m); a.Outcome == scope.Open && slices.Contains(a.Missing, l.chance()) {
		all = append(all, scope.Reason{
			Field: l.field, Got: "left to chance", Outcome: scope.Open,
			Message: "Kyverno puts labels that it finds by a pattern among those that are written. " +
				"Where both are the same label, one gets lost.",
		})
	}
	if len(all) == 0 {
		all = append(all, scope.Reason{Field: l.field, Outcome: scope.Match, Message: "The selector is empty, so everything passes."})
	}
	return all
}

// Package selector holds the two layers that read labels: the namespaceSelector and the
// objectSelector. The decision is the API server's own matcher's; the requirement that
// decided is found by asking each requirement of the selector alone.
package selector

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/ambit-k8s/ambit/scope"
)

// Selector is a compiled label selector that remembers how it was written.
type Selector struct {
	// Written is the selector as it stands in the policy; nil if it is absent, which after
	// defaulting happens only in objects that no API server stored.
	Written *metav1.LabelSelector
	// Field is the path of the selector in the policy.
	Field string
	// Requirements are its parts in the order in which they are written.
	Requirements []Requirement

	parsed labels.Selector
	err    error
	text   string
	// labels is what is read of labels, and part what is read of an object that has them.
	labels, part *scope.Part
}

// Requirement is one line of a selector.
type Requirement struct {
	Field string
	Key   string
	// Operator is In, NotIn, Exists or DoesNotExist; an entry of matchLabels is In.
	Operator metav1.LabelSelectorOperator
	Values   []string

	parsed labels.Selector
}

// New compiles a selector. A selector that does not compile still explains itself: the
// API server stores such selectors in rare cases and fails when it evaluates them.
func New(written *metav1.LabelSelector, field string) *Selector {
	s := &Selector{Written: written, Field: field}
	s.parsed, s.err = metav1.LabelSelectorAsSelector(written)
	s.text = write(s)
	defer s.see()
	if written == nil {
		return s
	}
	for _, key := range sets.List(sets.KeySet(written.MatchLabels)) {
		s.add(field+".matchLabels"+index(key), metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{written.MatchLabels[key]}})
	}
	for i, r := range written.MatchExpressions {
		s.add(fmt.Sprintf("%s.matchExpressions[%d]", field, i), r)
	}
	return s
}

func (s *Selector) add(field string, r metav1.LabelSelectorRequirement) {
	parsed, err := metav1.LabelSelectorAsSelector(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{r}})
	if err != nil {
		parsed = nil
	}
	s.Requirements = append(s.Requirements, Requirement{Field: field, Key: r.Key, Operator: r.Operator, Values: r.Values, parsed: parsed})
}

// Empty reports whether the selector asks for nothing and so lets everything pass.
func (s *Selector) Empty() bool { return s.err == nil && s.parsed.Empty() }

// Err is why the selector does not compile.
func (s *Selector) Err() error { return s.err }

// Matches reports whether a set of labels passes a selector that compiles.
func (s *Selector) Matches(set labels.Set) bool { return s.err == nil && s.parsed.Matches(set) }

// String is the requirement as kubectl would say it, with the operator's name.
func (r Requirement) String() string {
	switch r.Operator {
	case metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist:
		return r.Key + " " + string(r.Operator)
	}
	return r.Key + " " + string(r.Operator) + " [" + strings.Join(r.Values, ", ") + "]"
}

// Matches reports whether a set of labels meets the requirement.
func (r Requirement) Matches(set labels.Set) bool { return r.parsed != nil && r.parsed.Matches(set) }

// reason sets the requirement beside the labels that were observed. The path names the
// label in its owner: an object's labels, or a namespace.
func (r Requirement) reason(set labels.Set, path string) scope.Reason {
	outcome := scope.NoMatch
	if r.Matches(set) {
		outcome = scope.Match
	}
	return scope.Reason{Field: r.Field, Want: r.String(), Got: observed(set, r.Key), Path: path, Outcome: outcome}
}

// observed writes what a label set has under a key.
func observed(set labels.Set, key string) string {
	if value, ok := set[key]; ok {
		return key + "=" + value
	}
	if len(set) == 0 {
		return "no labels"
	}
	return "no label " + key
}

// index writes a key as a path element.
func index(key string) string { return fmt.Sprintf("[%q]", key) }

package selector

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Extent is the set of label sets that a selector matches, worked out without looking at
// any object. A selector is a conjunction of requirements that each narrow one label, so
// its extent is known exactly as one set of values for each label.
//
// Statements about extents are about single label sets. A namespaceSelector is asked about
// one; an objectSelector is asked about the object and about the old object, and one of the
// two is enough. What holds for extents holds for creations and deletions, and an extent
// within another is within it for updates, too; but an update that changes the labels can
// pass two selectors whose extents have nothing in common.
type Extent struct {
	labels map[string]values
	// nothing is set for an extent without any label set: no combination of values of one
	// label would do.
	nothing bool
	// err is why the selector does not compile. It then has no extent: the API server fails
	// where it asks it.
	err     error
	invalid string
}

// Everything is the extent of a selector that asks for nothing.
func Everything() Extent { return Extent{} }

// Extent returns the label sets that the selector matches.
func (s *Selector) Extent() Extent {
	if s.err != nil {
		return Extent{err: s.err, invalid: metav1.FormatLabelSelector(s.Written)}
	}
	if s.Written == nil {
		return Extent{nothing: true}
	}
	e := Extent{}
	for _, r := range s.Requirements {
		e = e.narrow(r.Key, r.allows())
	}
	return e
}

// Extent returns the label sets of namespaces that the layer selects.
func (l *Namespace) Extent() Extent { return l.Selector.Extent() }

// OfNamespaces tells the two layers apart.
func (l *Namespace) OfNamespaces() bool { return true }

// Extent returns the label sets of objects that the layer selects.
func (l *Object) Extent() Extent { return l.Selector.Extent() }

// OfNamespaces tells the two layers apart.
func (l *Object) OfNamespaces() bool { return false }

// allows is what the requirement lets its label be.
func (r Requirement) allows() values {
	switch r.Operator {
	case metav1.LabelSelectorOpIn:
		return newValues(false, false, r.Values)
	case metav1.LabelSelectorOpNotIn:
		return newValues(true, true, r.Values)
	case metav1.LabelSelectorOpExists:
		return values{others: true}
	}
	return values{absent: true}
}

// Extent returns the label sets that the requirement alone matches.
func (r Requirement) Extent() Extent { return Everything().narrow(r.Key, r.allows()) }

// With narrows an extent to the label sets in which every given label has its value. It
// brings in what is known of the labels of all objects in question.
func (e Extent) With(set labels.Set) Extent {
	for key, value := range set {
		e = e.narrow(key, values{list: []string{value}})
	}
	return e
}

// WithKey narrows an extent to the label sets that have a label, whatever its value.
func (e Extent) WithKey(key string) Extent { return e.narrow(key, values{others: true}) }

// narrow returns the extent with one more requirement.
func (e Extent) narrow(key string, v values) Extent {
	if e.nothing || e.err != nil {
		return e
	}
	left := e.at(key).and(v)
	if left.none() {
		return Extent{nothing: true}
	}
	narrowed := Extent{labels: maps.Clone(e.labels)}
	if narrowed.labels == nil {
		narrowed.labels = map[string]values{}
	}
	narrowed.labels[key] = left
	if left.all() {
		delete(narrowed.labels, key)
	}
	return narrowed
}

// at is what a label may be.
func (e Extent) at(key string) values {
	if v, ok := e.labels[key]; ok {
		return v
	}
	return anything
}

// Err is why the selector does not compile; such an extent is neither empty nor equal to,
// within or disjoint from any other.
func (e Extent) Err() error { return e.err }

// Empty reports whether no label set matches.
func (e Extent) Empty() bool { return e.err == nil && e.nothing }

// Everything reports whether every label set matches.
func (e Extent) Everything() bool { return e.err == nil && !e.nothing && len(e.labels) == 0 }

// Keys lists the labels that decide, sorted.
func (e Extent) Keys() []string { return slices.Sorted(maps.Keys(e.labels)) }

// Has reports whether a label set is in the extent.
func (e Extent) Has(set labels.Set) bool {
	if e.nothing || e.err != nil {
		return false
	}
	for key, v := range e.labels {
		value, present := set[key]
		if !v.has(value, present) {
			return false
		}
	}
	return true
}

// And is what two extents have in common. With one that does not compile it does not
// compile.
func (e Extent) And(o Extent) Extent {
	switch {
	case e.err != nil:
		return e
	case o.err != nil || o.nothing:
		return o
	}
	for key, v := range o.labels {
		e = e.narrow(key, v)
	}
	return e
}

// Example returns a label set in the extent, with as few labels as will do.
func (e Extent) Example() (labels.Set, bool) {
	if e.nothing || e.err != nil {
		return nil, false
	}
	set := labels.Set{}
	for key, v := range e.labels {
		if value, present := v.example(); present {
			set[key] = value
		}
	}
	return set, true
}

// Key is the same for extents that are equal and different for all others, so that
// selectors which mean the same can be found however they are written. It can be read.
func (e Extent) Key() string {
	switch {
	case e.err != nil:
		return "invalid: " + e.invalid
	case e.nothing:
		return "nothing"
	case len(e.labels) == 0:
		return "everything"
	}
	var words []string
	for _, key := range e.Keys() {
		words = append(words, e.labels[key].requirements(key)...)
	}
	return strings.Join(words, ", ")
}

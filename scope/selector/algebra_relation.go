package selector

import "k8s.io/apimachinery/pkg/labels"

// Relation says how one extent lies to another.
type Relation string

// The relations of two extents. Where both are empty they are the same; an empty one is
// within every other.
const (
	Same     Relation = "same"
	Narrower Relation = "narrower"
	Wider    Relation = "wider"
	Overlaps Relation = "overlaps"
	Apart    Relation = "apart"
	// NoRelation is that of selectors of which one does not compile.
	NoRelation Relation = "invalid"
)

// Relate says how an extent lies to another.
func (e Extent) Relate(o Extent) Relation {
	if e.err != nil || o.err != nil {
		return NoRelation
	}
	within, around := e.Implies(o), o.Implies(e)
	switch {
	case within && around:
		return Same
	case within:
		return Narrower
	case around:
		return Wider
	case e.Disjoint(o):
		return Apart
	}
	return Overlaps
}

// Implies reports whether every label set of the extent is in the other one, too.
func (e Extent) Implies(o Extent) bool {
	if e.err != nil || o.err != nil {
		return false
	}
	_, found := e.Without(o)
	return !found
}

// Equal reports whether two extents have the same label sets.
func (e Extent) Equal(o Extent) bool { return e.Implies(o) && o.Implies(e) }

// Disjoint reports whether no label set is in both extents.
func (e Extent) Disjoint(o Extent) bool { return e.And(o).Empty() }

// Without returns a label set that is in the extent and not in the other one. It finds one
// if there is any: what is outside a conjunction fails one of its requirements.
func (e Extent) Without(o Extent) (labels.Set, bool) {
	switch {
	case e.nothing || e.err != nil || o.err != nil:
		return nil, false
	case o.nothing:
		return e.Example()
	}
	for _, key := range o.Keys() {
		if set, ok := e.narrow(key, o.labels[key].not()).Example(); ok {
			return set, true
		}
	}
	return nil, false
}

// TellApart returns a label set that is in one of two extents only, and whether it is the
// first one.
func (e Extent) TellApart(o Extent) (set labels.Set, inFirst, found bool) {
	if set, found = e.Without(o); found {
		return set, true, true
	}
	set, found = o.Without(e)
	return set, false, found
}

package selector

import "github.com/ambit-k8s/ambit/scope"

// Pair is the two extents that policies are grouped by: what a policy selects by the
// labels of namespaces, and what by the labels of objects.
type Pair struct{ Namespace, Object Extent }

// And is what a policy and its binding select together, which have selectors of their own.
// For updates that change labels the object's half is what both select on one side of the
// change; see Extent.
func (p Pair) And(o Pair) Pair {
	return Pair{p.Namespace.And(o.Namespace), p.Object.And(o.Object)}
}

// Key is the same for pairs of which both halves are equal in effect, however they are
// written. Objects outside of namespaces see the second half alone, so two pairs that select
// nothing in namespaces may have different keys.
func (p Pair) Key() string {
	return "namespace: " + p.Namespace.Key() + "; object: " + p.Object.Key()
}

// Empty reports whether no object in a namespace is selected. Objects outside of namespaces
// pass every namespaceSelector.
func (p Pair) Empty() bool { return p.Namespace.Empty() || p.Object.Empty() }

// Relate says how a pair lies to another, for objects in namespaces.
func (p Pair) Relate(o Pair) Relation {
	namespace, object := p.Namespace.Relate(o.Namespace), p.Object.Relate(o.Object)
	switch {
	case namespace == NoRelation || object == NoRelation:
		return NoRelation
	case p.Empty() && o.Empty():
		return Same
	case p.Empty():
		return Narrower
	case o.Empty():
		return Wider
	case namespace == Apart || object == Apart:
		return Apart
	case namespace == Same:
		return object
	case object == Same || object == namespace:
		return namespace
	}
	return Overlaps
}

// PairOf is what a policy and its binding select together. A policy without one of the two
// layers selects everything by it.
func PairOf(p *scope.Policy) Pair {
	pair := Pair{Everything(), Everything()}
	for _, layer := range p.Layers {
		switch l := layer.(type) {
		case *Namespace:
			pair.Namespace = pair.Namespace.And(l.Selector.Extent())
		case *Object:
			pair.Object = pair.Object.And(l.Selector.Extent())
		}
	}
	return pair
}

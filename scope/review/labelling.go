package review

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// madeUpNamespace is the name of a namespace that a witness is in where none that is known
// would do.
const madeUpNamespace = "review-witness"

// half tells the selectors of a policy apart: those of namespaces and those of objects. A
// Namespace as an object is asked by both.
type half func(selecting) bool

func ofNamespaces(l selecting) bool { return l.OfNamespaces() }
func ofObjects(l selecting) bool    { return !l.OfNamespaces() }
func ofBoth(selecting) bool         { return true }

// extents lists what the layers of one half of a policy select.
func extents(p *scope.Policy, of half) []selector.Extent {
	var all []selector.Extent
	for _, l := range written(p) {
		if s, ok := l.(selecting); ok && of(s) {
			all = append(all, s.Extent())
		}
	}
	return all
}

// labelSets lists sets of labels that may tell the sides apart: for each selector of the one
// side, such as all selectors of the other select and this one does not.
func (p *pair) labelSets(of half) []labels.Set {
	was, is := extents(p.before, of), extents(p.after, of)
	all := []labels.Set{{}}
	seen := map[string]bool{all[0].String(): true}
	add := func(set labels.Set, ok bool) {
		if ok && !seen[set.String()] {
			seen[set.String()] = true
			all = append(all, set)
		}
	}
	wholeWas, wholeIs := and(was), and(is)
	add(wholeWas.And(wholeIs).Example())
	for _, e := range is {
		add(wholeWas.Without(e))
	}
	for _, e := range was {
		add(wholeIs.Without(e))
	}
	// A layer may select more than its own labels say: Kyverno's asks about an empty object where there is none.
	for _, e := range was {
		for _, o := range is {
			add(e.Without(o))
			add(o.Without(e))
		}
	}
	add(wholeWas.Example())
	add(wholeIs.Example())
	return all
}

func and(all []selector.Extent) selector.Extent {
	whole := selector.Everything()
	for _, e := range all {
		whole = whole.And(e)
	}
	return whole
}

// place is a namespace that a candidate may be in.
type place struct {
	*corev1.Namespace
	known bool
}

// places lists the namespaces in which the sides may differ: those that are known, one for each
// way in which the selectors see them, and such as there could be.
func (p *pair) places() []place {
	var all []place
	was, is := extents(p.before, ofNamespaces), extents(p.after, ofNamespaces)
	seen := map[string]bool{}
	for _, n := range p.in.Namespaces {
		key := ""
		for _, e := range append(was[:len(was):len(was)], is...) {
			if e.Has(n.Labels) {
				key += "y"
			} else {
				key += "n"
			}
		}
		if !seen[key] {
			seen[key] = true
			all = append(all, place{n, true})
		}
	}
	for _, set := range p.labelSets(ofNamespaces) {
		all = append(all, place{Namespace: p.madeUp(set)})
	}
	return all
}

// madeUp is a namespace with some labels. The API server gives it a label with its name.
func (p *pair) madeUp(set labels.Set) *corev1.Namespace {
	name, ok := set[corev1.LabelMetadataName]
	if !ok {
		name = madeUpNamespace
	}
	given := maps.Clone(set)
	given[corev1.LabelMetadataName] = name
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: given}}
}

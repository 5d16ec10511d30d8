package review

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// pair is a policy before the change and after it; one of the two is nil if it was added or
// removed.
type pair struct {
	in            Input
	before, after *scope.Policy
}

// pairs lists the policies that are not the same on both sides, in the order of the side
// before; those that were added come last. Manifests may hold several of one name, which are
// paired in their order.
func pairs(in Input) []*pair {
	now := map[string][]*scope.Policy{}
	for _, p := range in.After.Policies {
		now[p.ID()] = append(now[p.ID()], p)
	}
	var all []*pair
	paired := map[*scope.Policy]bool{}
	for _, p := range in.Before.Policies {
		one := &pair{in, p, nil}
		if left := now[p.ID()]; len(left) > 0 {
			one.after, now[p.ID()] = left[0], left[1:]
			paired[one.after] = true
		}
		if !one.untouched() {
			all = append(all, one)
		}
	}
	for _, p := range in.After.Policies {
		if !paired[p] {
			all = append(all, &pair{in, nil, p})
		}
	}
	return all
}

// some is the policy on one of the sides that has it.
func (p *pair) some() *scope.Policy {
	if p.after != nil {
		return p.after
	}
	return p.before
}

// untouched reports whether both sides are made of the same objects, so that there is nothing
// to look at.
func (p *pair) untouched() bool {
	return p.after != nil && p.sameSource() && p.before.Beside == p.after.Beside && !p.otherParams()
}

func (p *pair) sameSource() bool {
	return reflect.DeepEqual(p.before.Source, p.after.Source) && reflect.DeepEqual(p.before.BindingSource, p.after.BindingSource)
}

// otherParams reports whether the parameters of the policy may be others than before.
func (p *pair) otherParams() bool {
	takes := func(l scope.Layer) bool { return l.Name() == scope.Params }
	return p.in.FactsDiffer && (slices.ContainsFunc(p.before.Layers, takes) || slices.ContainsFunc(p.after.Layers, takes))
}

// compared is the relation of the two layers that have one name.
type compared struct {
	name scope.LayerName
	bounds
}

// compare relates the layers of both sides, in the order of the side before.
func (p *pair) compare() []compared {
	if p.before == nil || p.after == nil {
		return nil
	}
	var all []compared
	seen := map[scope.LayerName]bool{}
	for _, l := range slices.Concat(p.before.Layers, p.after.Layers) {
		if !seen[l.Name()] {
			seen[l.Name()] = true
			all = append(all, compared{l.Name(), p.relate(layer(p.before, l.Name()), layer(p.after, l.Name()))})
		}
	}
	return all
}

// relate compares two layers, knowing what they are made of and what comes before them.
func (p *pair) relate(before, after scope.Layer) bounds {
	b := relate(before, after)
	if before == nil || after == nil {
		return b
	}
	name := before.Name()
	switch {
	case name == scope.Params:
		if !p.in.FactsDiffer && reflect.DeepEqual(before, after) {
			b = same
		}
	case ofItself(name) && p.sameSource():
		b = same
	}
	if name.AreConditions() && p.otherVersions(before, after) {
		return bounds{}
	}
	return b
}

// ofItself reports whether a layer is made of nothing but the object of the policy: conditions,
// and what Kyverno's engine goes by, but for its configuration and its exceptions.
func ofItself(name scope.LayerName) bool {
	return strings.HasPrefix(string(name), "matchConstraints.") || name == scope.MatchBlock || name == scope.ExcludeBlock || name == scope.MatchConditions
}

// otherVersions reports whether conditions may see objects in another version than before: in
// that which the rules match, if these are others.
func (p *pair) otherVersions(before, after scope.Layer) bool {
	if looksAtNothing(before) && looksAtNothing(after) {
		return false
	}
	for _, name := range []scope.LayerName{scope.ResourceRules, scope.WebhookResourceRules} {
		was, is := layer(p.before, name), layer(p.after, name)
		if was != nil && is != nil && !sameKey(was, is) {
			return true
		}
	}
	return false
}

// looksAtNothing reports whether there are no conditions in a layer of them.
func looksAtNothing(conditions scope.Layer) bool {
	l, ok := conditions.(scope.ResourceLayer)
	return ok && l.ReadsOnlyResource()
}

// layer finds a layer by its name; nil if the policy has none of that name.
func layer(p *scope.Policy, name scope.LayerName) scope.Layer {
	for _, l := range p.Layers {
		if l.Name() == name {
			return l
		}
	}
	return nil
}

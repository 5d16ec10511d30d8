package review

import (
	"reflect"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// bounds is what is proven about what a layer lets pass: that it is within what it let pass
// before, that it is around it. Both together are the same; neither means that nothing is
// proven.
type bounds struct{ within, around bool }

var same = bounds{true, true}

// selecting is a layer that selects by labels.
type selecting interface {
	scope.Layer
	Extent() selector.Extent
	OfNamespaces() bool
}

// relate compares a layer with the one that has its place now; one of the two may be missing.
func relate(before, after scope.Layer) bounds {
	switch {
	case before == nil:
		return bounds{within: true}
	case after == nil:
		return bounds{around: true}
	case reflect.TypeOf(before) != reflect.TypeOf(after):
		return bounds{}
	case sameKey(before, after):
		return same
	}
	switch b := before.(type) {
	case selecting:
		was, is := b.Extent(), after.(selecting).Extent()
		return bounds{is.Implies(was), was.Implies(is)}
	case *rule.Rules:
		is := after.(*rule.Rules)
		return bounds{is.Within(b), b.Within(is)}
	case *condition.Conditions:
		return relateConditions(b, after.(*condition.Conditions))
	case standing:
		was, is := b.Written(), after.(standing).Written()
		if len(was) == 1 && len(is) == 1 {
			return relate(was[0], is[0])
		}
	case extending:
		other := after.(extending)
		if len(b.Derived())+len(other.Derived()) == 0 {
			return relate(b.Written(), other.Written())
		}
	}
	if reflect.DeepEqual(before, after) {
		return same
	}
	return bounds{}
}

func sameKey(a, b scope.Layer) bool {
	one, ok := a.(scope.Keyed)
	if !ok {
		return false
	}
	key := one.Key()
	return key != "" && key == b.(scope.Keyed).Key()
}

// relateConditions compares the texts of conditions: more of them let less pass. With
// parameters, the layer that finds these is compared beside this one.
func relateConditions(before, after *condition.Conditions) bounds {
	was, is := texts(before), texts(after)
	if len(was)+len(is) > 0 && before.OnError != after.OnError {
		return bounds{}
	}
	return bounds{within: containsAll(is, was), around: containsAll(was, is)}
}

func texts(c *condition.Conditions) []string {
	all := make([]string, len(c.Conditions))
	for i, one := range c.Conditions {
		all[i] = one.Expression
	}
	return all
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

package selector

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/ambit-k8s/ambit/scope"
)

// universe is every label set over two keys with the values that the selectors of these
// tests name, one that none of them names, and no label.
func universe() []labels.Set {
	states := []*string{nil}
	for _, value := range []string{"", "a", "b", "z"} {
		states = append(states, &value)
	}
	var all []labels.Set
	for _, x := range states {
		for _, y := range states {
			set := labels.Set{}
			if x != nil {
				set["x"] = *x
			}
			if y != nil {
				set["y"] = *y
			}
			all = append(all, set)
		}
	}
	return all
}

// someRequirements are the requirements on one key that the tests combine.
func someRequirements(key string) []metav1.LabelSelectorRequirement {
	all := []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOpExists}, {Key: key, Operator: metav1.LabelSelectorOpDoesNotExist}}
	for _, values := range [][]string{{"a"}, {"b"}, {"b", "a"}, {""}, {"a", "a"}} {
		all = append(all,
			metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpIn, Values: values},
			metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOpNotIn, Values: values})
	}
	return all
}

// someSelectors are all selectors with up to two of the requirements.
func someSelectors() []*Selector {
	var requirements []metav1.LabelSelectorRequirement
	for _, key := range []string{"x", "y"} {
		requirements = append(requirements, someRequirements(key)...)
	}
	all := []*Selector{New(nil, ""), New(&metav1.LabelSelector{}, ""), New(&metav1.LabelSelector{MatchLabels: map[string]string{"x": "a"}}, "")}
	for i, first := range requirements {
		all = append(all, New(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{first}}, ""))
		for _, second := range requirements[i:] {
			all = append(all, New(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{first, second}}, ""))
		}
	}
	return all
}

// What the algebra says of one selector and of every pair is what trying every label set
// with the API server's own selector says.
func TestAlgebraAgainstEnumeration(t *testing.T) {
	sets, selectors := universe(), someSelectors()
	matched := make([][]bool, len(selectors))
	extents := make([]Extent, len(selectors))
	for i, s := range selectors {
		extents[i] = s.Extent()
		some, all := false, true
		for _, set := range sets {
			m := s.parsed.Matches(set)
			matched[i] = append(matched[i], m)
			some, all = some || m, all && m
			if extents[i].Has(set) != m {
				t.Fatalf("%s has %v: %t", extents[i].Key(), set, !m)
			}
		}
		if extents[i].Empty() != !some || extents[i].Everything() != all {
			t.Errorf("%s: empty %t, everything %t", extents[i].Key(), extents[i].Empty(), extents[i].Everything())
		}
		example, found := extents[i].Example()
		if found != some || found && !s.parsed.Matches(example) {
			t.Errorf("%s: the example is %v, %t", extents[i].Key(), example, found)
		}
	}
	pairs := 0
	for i := range selectors {
		for j := range selectors {
			pairs++
			if err := comparePair(selectors[i], selectors[j], extents[i], extents[j], matched[i], matched[j]); err != nil {
				t.Fatalf("%s and %s: %v", extents[i].Key(), extents[j].Key(), err)
			}
		}
	}
	if pairs < 50000 {
		t.Errorf("only %d pairs were compared", pairs)
	}
}

// comparePair holds what the algebra says of two selectors to their answers for every label
// set of the universe.
func comparePair(a, b *Selector, ea, eb Extent, inA, inB []bool) error {
	implies, implied, common := true, true, false
	for k := range inA {
		implies = implies && (!inA[k] || inB[k])
		implied = implied && (!inB[k] || inA[k])
		common = common || inA[k] && inB[k]
	}
	want := Overlaps
	switch {
	case implies && implied:
		want = Same
	case implies:
		want = Narrower
	case implied:
		want = Wider
	case !common:
		want = Apart
	}
	set, inFirst, apart := ea.TellApart(eb)
	switch {
	case ea.Implies(eb) != implies:
		return fmt.Errorf("implies is %t", ea.Implies(eb))
	case ea.Disjoint(eb) == common:
		return fmt.Errorf("disjoint is %t", ea.Disjoint(eb))
	case ea.Equal(eb) != (implies && implied):
		return fmt.Errorf("equal is %t", ea.Equal(eb))
	case (ea.Key() == eb.Key()) != (implies && implied):
		return fmt.Errorf("the keys say otherwise")
	case ea.Relate(eb) != want:
		return fmt.Errorf("the relation is %s, not %s", ea.Relate(eb), want)
	case apart == (implies && implied):
		return fmt.Errorf("told apart: %t", apart)
	case apart && (a.parsed.Matches(set) != inFirst || b.parsed.Matches(set) == inFirst):
		return fmt.Errorf("%v does not tell them apart", set)
	case apart && invalid(set):
		return fmt.Errorf("%v is no valid set of labels", set)
	}
	both := ea.And(eb)
	example, found := both.Example()
	if found != common || found && !(a.parsed.Matches(example) && b.parsed.Matches(example)) {
		return fmt.Errorf("their example is %v, %t", example, found)
	}
	return nil
}

func invalid(set labels.Set) bool {
	return len(metav1validation.ValidateLabels(set, field.NewPath("labels"))) > 0
}

// A selector that does not compile has no relation to any other and matches nothing.
func TestAlgebraOfInvalidSelectors(t *testing.T) {
	bad := New(&metav1.LabelSelector{MatchLabels: map[string]string{"a": "not a value"}}, "").Extent()
	for _, s := range someSelectors()[:30] {
		good := s.Extent()
		if bad.Implies(good) || good.Implies(bad) || bad.Disjoint(good) || bad.Equal(good) || bad.Relate(good) != NoRelation || good.And(bad).Err() == nil {
			t.Fatalf("a selector that does not compile is related to %s", good.Key())
		}
		if bad.Key() == good.Key() {
			t.Errorf("the key %s means two things", bad.Key())
		}
	}
	if bad.Empty() || bad.Everything() || bad.Err() == nil {
		t.Error("it passes for one that compiles")
	}
	if _, ok := bad.Example(); ok {
		t.Error("it has an example")
	}
}

// A witness must not have a value that the selector lists, however it is called.
func TestWitnessAvoidsListedValues(t *testing.T) {
	s := New(&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "x", Operator: metav1.LabelSelectorOpExists},
		{Key: "x", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"other", "other-1", "other-2"}},
	}}, "")
	if set, ok := s.Extent().Example(); !ok || !s.Matches(set) {
		t.Errorf("the example is %v, %t", set, ok)
	}
}

// A policy and its binding select what the selectors of both do.
func TestPairOfAPolicyAndItsBinding(t *testing.T) {
	in := func(key, value string) *Selector {
		return New(&metav1.LabelSelector{MatchLabels: map[string]string{key: value}}, "")
	}
	p := &scope.Policy{Layers: []scope.Layer{
		NewNamespace(scope.NamespaceSelector, scope.StageMatch, in("env", "prod"), scope.Rejected),
		NewObject(scope.ObjectSelector, scope.StageMatch, New(&metav1.LabelSelector{}, ""), scope.Rejected),
		NewNamespace(scope.BindingNamespaceSelector, scope.StageBinding, in("team", "a"), scope.Rejected),
		NewObject(scope.BindingObjectSelector, scope.StageBinding, in("app", "web"), scope.Rejected),
	}}
	pair := PairOf(p)
	if !pair.Namespace.Has(labels.Set{"env": "prod", "team": "a"}) || pair.Namespace.Has(labels.Set{"env": "prod"}) || pair.Namespace.Has(labels.Set{"team": "a"}) {
		t.Errorf("namespaces: %s", pair.Namespace.Key())
	}
	if !pair.Object.Has(labels.Set{"app": "web"}) || pair.Object.Has(nil) {
		t.Errorf("objects: %s", pair.Object.Key())
	}
}

// The relation of two pairs is the one that trying all combinations of label sets gives.
func TestPairsAgainstEnumeration(t *testing.T) {
	sets := universe()
	selectors := someSelectors()[:24]
	var pairs []Pair
	var matched [][]bool
	for _, n := range selectors[:12] {
		for _, o := range selectors[12:] {
			pairs = append(pairs, Pair{n.Extent(), o.Extent()})
			var in []bool
			for _, x := range sets {
				for _, y := range sets {
					in = append(in, n.parsed.Matches(x) && o.parsed.Matches(y))
				}
			}
			matched = append(matched, in)
		}
	}
	for i := range pairs {
		for j := range pairs {
			implies, implied, common := true, true, false
			for k := range matched[i] {
				implies = implies && (!matched[i][k] || matched[j][k])
				implied = implied && (!matched[j][k] || matched[i][k])
				common = common || matched[i][k] && matched[j][k]
			}
			want := Overlaps
			switch {
			case implies && implied:
				want = Same
			case implies:
				want = Narrower
			case implied:
				want = Wider
			case !common:
				want = Apart
			}
			if got := pairs[i].Relate(pairs[j]); got != want {
				t.Fatalf("%s to %s is %s, not %s", pairs[i].Key(), pairs[j].Key(), got, want)
			}
		}
	}
}

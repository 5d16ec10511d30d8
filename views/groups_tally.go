package views

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// Selected is how much of what exists a pair of selectors selects, whatever its resource.
type Selected struct{ Namespaces, Objects int }

// Tally is the population by what selectors look at: each namespace, and within it each
// distinct set of labels once. Asking about all groups then costs little more than asking
// about one.
type Tally struct {
	namespaces map[string]labels.Set
	sets       []labels.Set
	// spaces counts the objects of a namespace by their set of labels; outside those of no
	// namespace; selves those that are namespaces, which a namespaceSelector judges by their
	// own labels.
	spaces          map[string]map[int]int
	outside, selves map[int]int
}

// NewTally counts a population.
func NewTally(pop *coverage.Population, namespaces []*corev1.Namespace) *Tally {
	t := &Tally{namespaces: map[string]labels.Set{}, spaces: map[string]map[int]int{}, outside: map[int]int{}, selves: map[int]int{}}
	for _, ns := range namespaces {
		t.namespaces[ns.Name] = ns.Labels
	}
	known := map[string]int{}
	for _, resource := range pop.Resources() {
		isNamespace := resource.Group == "" && resource.Resource == "namespaces"
		for o := range pop.Objects(resource) {
			set := t.set(known, o.Labels)
			switch {
			case isNamespace:
				t.selves[set]++
			case o.Namespace == "":
				t.outside[set]++
			default:
				if t.spaces[o.Namespace] == nil {
					t.spaces[o.Namespace] = map[int]int{}
				}
				t.spaces[o.Namespace][set]++
			}
		}
	}
	return t
}

// set numbers a set of labels.
func (t *Tally) set(known map[string]int, set map[string]string) int {
	var b strings.Builder
	for _, key := range sortedKeys(set) {
		b.WriteString(key + "=" + set[key] + ",")
	}
	number, ok := known[b.String()]
	if !ok {
		number = len(t.sets)
		known[b.String()] = number
		t.sets = append(t.sets, set)
	}
	return number
}

// Select counts what a pair selects. Objects in a namespace whose labels are not known
// count only where the pair asks for none of them.
func (t *Tally) Select(pair selector.Pair) Selected {
	var s Selected
	passes := make([]bool, len(t.sets))
	for i, set := range t.sets {
		passes[i] = pair.Object.Has(set)
	}
	for _, set := range t.namespaces {
		if pair.Namespace.Has(set) {
			s.Namespaces++
		}
	}
	for name, counts := range t.spaces {
		set, known := t.namespaces[name]
		if known && pair.Namespace.Has(set) || pair.Namespace.Everything() {
			s.Objects += sum(counts, passes)
		}
	}
	s.Objects += sum(t.outside, passes)
	for set, n := range t.selves {
		if passes[set] && pair.Namespace.Has(t.sets[set]) {
			s.Objects += n
		}
	}
	return s
}

func sum(counts map[int]int, passes []bool) int {
	total := 0
	for set, n := range counts {
		if passes[set] {
			total += n
		}
	}
	return total
}

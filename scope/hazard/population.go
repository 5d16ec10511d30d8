package hazard

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// population counts objects of a coverage.Population. It brings objects that no query can
// tell apart together first, so that a query is asked once for each namespace and each set
// of labels that there is.
type population struct {
	unread []schema.GroupVersionResource
	tally  func() *tally
}

// NewPopulation counts the objects of a population. Unread are the resources of which it
// may not have all objects.
func NewPopulation(p *coverage.Population, unread []schema.GroupVersionResource) Objects {
	return &population{unread: unread, tally: sync.OnceValue(func() *tally { return newTally(p) })}
}

// tally is how many objects there are of each sort.
type tally struct {
	resources  []schema.GroupVersionResource
	namespaces []string
	labels     []labels.Set
	// counts are by resource.
	counts [][]tallied
}

// tallied is a number of objects of one namespace with the same labels.
type tallied struct{ namespace, labels, n int }

func newTally(p *coverage.Population) *tally {
	t := &tally{resources: p.Resources()}
	namespaces, sets := map[string]int{}, map[string]int{}
	for _, resource := range t.resources {
		var counts []tallied
		at := map[tallied]int{}
		for o := range p.Objects(resource) {
			name := o.Namespace
			if resource == namespaceResource {
				name = o.Name
			}
			one := tallied{namespace: number(namespaces, name, name, &t.namespaces), labels: number(sets, labels.Set(o.Labels).String(), labels.Set(o.Labels), &t.labels)}
			i, ok := at[one]
			if !ok {
				i = len(counts)
				at[one] = i
				counts = append(counts, one)
			}
			counts[i].n++
		}
		t.counts = append(t.counts, counts)
	}
	return t
}

// number returns the place of a value in a list, to which it is added if it is new.
func number[V any](known map[string]int, key string, value V, all *[]V) int {
	i, ok := known[key]
	if !ok {
		i = len(*all)
		known[key] = i
		*all = append(*all, value)
	}
	return i
}

// Count implements Objects.
func (p *population) Count(q Query) (n int, known bool) {
	if slices.ContainsFunc(p.unread, q.Resource) {
		return 0, false
	}
	t := p.tally()
	namespaces, sets := make([]answer, len(t.namespaces)), make([]answer, len(t.labels))
	for i, resource := range t.resources {
		if !q.Resource(resource) {
			continue
		}
		for _, c := range t.counts[i] {
			set := &sets[c.labels]
			if !set.asked {
				*set = answer{asked: true, yes: q.Labels(t.labels[c.labels]), known: true}
			}
			if !set.yes {
				continue
			}
			in := &namespaces[c.namespace]
			if !in.asked {
				in.asked = true
				in.yes, in.known = q.Namespace(t.namespaces[c.namespace])
			}
			if !in.known {
				return 0, false
			}
			if in.yes {
				n += c.n
			}
		}
	}
	return n, true
}

// answer is what a query says, once it was asked.
type answer struct{ asked, yes, known bool }

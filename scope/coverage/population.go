package coverage

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Population is a Store at one moment. It does not change.
type Population struct {
	tables *tables
	rows   []*row
	size   int
}

// Len returns the number of objects.
func (p *Population) Len() int { return p.size }

// Resources returns the resources of which there are objects, sorted.
func (p *Population) Resources() []schema.GroupVersionResource {
	var all []schema.GroupVersionResource
	for id, r := range p.rows {
		if r != nil && r.size > 0 {
			all = append(all, p.tables.resources.get(uint32(id)))
		}
	}
	slices.SortFunc(all, compareResources)
	return all
}

// Namespaces returns the namespaces in which there are objects, sorted; the empty one
// stands for the objects that are in none.
func (p *Population) Namespaces() []string {
	seen := map[uint32]bool{}
	var all []string
	for _, r := range p.rows {
		if r == nil {
			continue
		}
		for _, b := range r.blocks {
			if !seen[b.namespace] {
				seen[b.namespace] = true
				all = append(all, p.tables.namespaces.get(b.namespace))
			}
		}
	}
	slices.Sort(all)
	return all
}

// Count returns the number of objects of a resource.
func (p *Population) Count(resource schema.GroupVersionResource) int {
	if r := p.row(resource); r != nil {
		return r.size
	}
	return 0
}

// Objects goes through the objects of a resource by namespace and name; their Content is
// left out.
func (p *Population) Objects(resource schema.GroupVersionResource) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		r := p.row(resource)
		if r == nil {
			return
		}
		for _, b := range r.blocks {
			for i := range b.names {
				if !yield(p.object(resource, b, i)) {
					return
				}
			}
		}
	}
}

func (p *Population) object(resource schema.GroupVersionResource, b *block, i int) Object {
	return Object{
		Resource: resource, Namespace: p.tables.namespaces.get(b.namespace), Name: b.names[i],
		Labels: p.tables.labelsOf(b.labels[i]), Content: Content{p.tables, b.contents[i]},
	}
}

// Find returns one object.
func (p *Population) Find(resource schema.GroupVersionResource, namespace, name string) (Object, bool) {
	_, b, i := p.locate(resource, namespace, name)
	if b == nil {
		return Object{}, false
	}
	return p.object(resource, b, i), true
}

// locate finds the block of an object, its place in the row, and the object's in it.
func (p *Population) locate(resource schema.GroupVersionResource, namespace, name string) (at int, b *block, i int) {
	r := p.row(resource)
	if r == nil {
		return 0, nil, 0
	}
	at, ok := r.search(p.tables.namespaces, namespace, name)
	if !ok {
		return 0, nil, 0
	}
	i, found := r.blocks[at].find(name)
	if !found {
		return 0, nil, 0
	}
	return at, r.blocks[at], i
}

func (p *Population) row(resource schema.GroupVersionResource) *row {
	id, ok := p.tables.resources.find(resource)
	if !ok || int(id) >= len(p.rows) {
		return nil
	}
	return p.rows[id]
}

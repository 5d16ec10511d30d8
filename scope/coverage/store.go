package coverage

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is one object of a population.
type Object struct {
	Resource schema.GroupVersionResource
	// Namespace is empty for cluster-scoped resources, Namespaces among them.
	Namespace string
	Name      string
	Labels    map[string]string
	// Content is what a Projector made of the whole object; the zero value says that it has
	// not been read.
	Content Content
}

// String names the object as kubectl would find it: deployments.apps shop/web.
func (o Object) String() string {
	if o.Namespace == "" {
		return o.Resource.GroupResource().String() + " " + o.Name
	}
	return o.Resource.GroupResource().String() + " " + o.Namespace + "/" + o.Name
}

// Content is what is known of an object beside its name and labels. It is of use in the
// Store only whose Projector made it.
type Content struct {
	tables *tables
	id     uint32
}

// Store is a population that changes. It keeps one copy of each distinct set of labels and
// of each distinct content, and is safe for concurrent use.
type Store struct {
	mu     sync.Mutex
	tables *tables
	rows   []*row
	epoch  uint64
	size   int
	// dropped counts the objects that were replaced or removed since the tables were made:
	// what they alone had is still in the tables.
	dropped int
}

// NewStore makes an empty population.
func NewStore() *Store { return &Store{tables: newTables(), epoch: 1} }

// Put adds an object, or replaces the one with the same resource, namespace and name.
func (s *Store) Put(o Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	put := stored{name: o.Name, labels: s.tables.labelSet(o.Labels)}
	if o.Content.tables == s.tables {
		put.content = o.Content.id
	}
	s.put(o.Resource, o.Namespace, put)
}

func (s *Store) put(resource schema.GroupVersionResource, namespace string, o stored) {
	r := s.row(resource)
	i, ok := r.search(s.tables.namespaces, namespace, o.name)
	if !ok {
		b := &block{namespace: s.tables.namespaces.id(namespace), epoch: s.epoch}
		b.insert(0, o)
		r.blocks = slices.Insert(r.blocks, i, b)
		r.size++
		s.size++
		return
	}
	j, found := r.blocks[i].find(o.name)
	if found && r.blocks[i].labels[j] == o.labels && r.blocks[i].contents[j] == o.content {
		return
	}
	b := s.own(r, i)
	if found {
		b.labels[j], b.contents[j] = o.labels, o.content
		s.dropped++
		return
	}
	b.insert(j, o)
	r.size++
	s.size++
	if b.len() > maxBlock {
		at := b.len() / 2
		if j == b.len()-1 {
			// Objects that come in order leave full blocks behind.
			at = j
		}
		r.blocks = slices.Insert(r.blocks, i+1, b.split(at))
	}
}

// Delete removes an object, if it is there.
func (s *Store) Delete(resource schema.GroupVersionResource, namespace, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := s.tables.resources.find(resource); !ok || int(id) >= len(s.rows) || s.rows[id] == nil {
		return
	}
	r := s.row(resource)
	i, ok := r.search(s.tables.namespaces, namespace, name)
	if !ok {
		return
	}
	j, found := r.blocks[i].find(name)
	if !found {
		return
	}
	r.size--
	s.size--
	s.dropped++
	if r.blocks[i].len() == 1 {
		r.blocks = slices.Delete(r.blocks, i, i+1)
		return
	}
	s.own(r, i).remove(j)
}

// Forget removes all objects of a resource, as when its CustomResourceDefinition goes.
func (s *Store) Forget(resource schema.GroupVersionResource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.tables.resources.find(resource)
	if !ok || int(id) >= len(s.rows) || s.rows[id] == nil {
		return
	}
	s.size -= s.rows[id].size
	s.dropped += s.rows[id].size
	s.rows[id] = nil
}

// currentTables returns the tables in use.
func (s *Store) currentTables() *tables {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tables
}

// Len returns the number of objects.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}

// row returns the row of a resource, which may be changed.
func (s *Store) row(resource schema.GroupVersionResource) *row {
	id := int(s.tables.resources.id(resource))
	for len(s.rows) <= id {
		s.rows = append(s.rows, nil)
	}
	r := s.rows[id]
	switch {
	case r == nil:
		r = &row{epoch: s.epoch}
	case r.epoch != s.epoch:
		r = &row{epoch: s.epoch, blocks: grown(r.blocks), size: r.size}
	}
	s.rows[id] = r
	return r
}

// own returns a block of a row that may be changed.
func (s *Store) own(r *row, i int) *block {
	if r.blocks[i].epoch != s.epoch {
		r.blocks[i] = r.blocks[i].clone(s.epoch)
	}
	return r.blocks[i]
}

// Snapshot returns the population as it is now. It costs little, whatever its size.
func (s *Store) Snapshot() *Population {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped > 65536 && s.dropped > 2*s.size {
		s.rebuild()
	}
	s.epoch++
	return &Population{tables: s.tables, rows: slices.Clone(s.rows), size: s.size}
}

// rebuild makes new tables, which have only what the present objects need.
func (s *Store) rebuild() {
	old, rows := s.tables, s.rows
	s.tables, s.rows, s.size, s.dropped = newTables(), nil, 0, 0
	for id, r := range rows {
		if r == nil {
			continue
		}
		for _, b := range r.blocks {
			for i, name := range b.names {
				content := s.tables.adopt(old, b.contents[i])
				s.put(old.resources.get(uint32(id)), old.namespaces.get(b.namespace), stored{name, s.tables.labelSet(old.labelsOf(b.labels[i])), content})
			}
		}
	}
}

// adopt takes a content over from other tables.
func (t *tables) adopt(old *tables, id uint32) uint32 {
	p := old.contents.get(id)
	all := make([]pair, p.len())
	for i := range all {
		column, value := p.at(i)
		all[i] = pair{t.columns.id(old.columns.get(column)), t.values.id(old.values.get(value))}
	}
	return t.contents.id(pack(all))
}

package coverage

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// maxBlock bounds what is copied when one object changes.
const maxBlock = 256

// block is a run of objects of one resource in one namespace, sorted by name. A block that
// a Population has must not change; epoch says when it was made.
type block struct {
	namespace uint32
	epoch     uint64
	names     []string
	labels    []uint32
	contents  []uint32
}

func (b *block) len() int { return len(b.names) }

func (b *block) clone(epoch uint64) *block {
	return &block{namespace: b.namespace, epoch: epoch, names: grown(b.names), labels: grown(b.labels), contents: grown(b.contents)}
}

// grown copies a slice and leaves room for one more.
func grown[T any](s []T) []T { return append(make([]T, 0, len(s)+1), s...) }

func (b *block) find(name string) (int, bool) { return slices.BinarySearch(b.names, name) }

func (b *block) insert(i int, o stored) {
	b.names = slices.Insert(b.names, i, strings.Clone(o.name))
	b.labels = slices.Insert(b.labels, i, o.labels)
	b.contents = slices.Insert(b.contents, i, o.content)
}

func (b *block) remove(i int) {
	b.names = slices.Delete(b.names, i, i+1)
	b.labels = slices.Delete(b.labels, i, i+1)
	b.contents = slices.Delete(b.contents, i, i+1)
}

// split moves the second half to a new block.
func (b *block) split(at int) *block {
	second := &block{namespace: b.namespace, epoch: b.epoch, names: grown(b.names[at:]), labels: grown(b.labels[at:]), contents: grown(b.contents[at:])}
	clear(b.names[at:])
	b.names, b.labels, b.contents = b.names[:at], b.labels[:at], b.contents[:at]
	return second
}

// stored is an object as a block has it.
type stored struct {
	name            string
	labels, content uint32
}

// row is all objects of one resource: its blocks, sorted by namespace and name.
type row struct {
	epoch  uint64
	blocks []*block
	size   int

	// What follows is found when it is needed first. The row must not change any more then.
	findRuns, findSets sync.Once
	runs               []run
	sets               setIndex
}

// search finds the block that holds a name, or should hold it: the last one of the
// namespace that does not begin after the name, else the first one of the namespace.
func (r *row) search(namespaces *table[string], namespace, name string) (i int, ok bool) {
	i = sort.Search(len(r.blocks), func(i int) bool {
		b := r.blocks[i]
		c := cmp.Compare(namespaces.get(b.namespace), namespace)
		return c > 0 || c == 0 && b.names[0] > name
	})
	in := func(i int) bool {
		return i >= 0 && i < len(r.blocks) && namespaces.get(r.blocks[i].namespace) == namespace
	}
	switch {
	case in(i - 1):
		return i - 1, true
	case in(i):
		return i, true
	}
	return i, false
}

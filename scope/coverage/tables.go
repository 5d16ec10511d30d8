package coverage

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// tables number what many objects have in common.
type tables struct {
	resources  *table[schema.GroupVersionResource]
	namespaces *table[string]
	// words are the keys and values of labels, labels the sets of them. Set 0 is empty.
	words  *table[string]
	labels *table[pairs]
	// columns are the parts of objects that conditions read, values what stands there as
	// JSON, and contents what is known of an object: a value for each column.
	columns  *table[string]
	values   *table[string]
	contents *table[pairs]
}

func newTables() *tables {
	return &tables{
		resources: newTable[schema.GroupVersionResource](), namespaces: newTable(""),
		words: newTable[string](), labels: newTable[pairs](""),
		columns: newTable[string](), values: newTable[string](), contents: newTable(notRead),
	}
}

// notRead is the first of the contents, that of an object of which nothing is known.
const notRead pairs = ""

type pair struct{ key, value uint32 }

// pack sorts pairs and packs them.
func pack(all []pair) pairs {
	slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	b := make([]byte, 0, len(all)*pairSize)
	for _, p := range all {
		b = appendPair(b, p.key, p.value)
	}
	return pairs(b)
}

// labelSet returns the number of a set of labels.
func (t *tables) labelSet(labels map[string]string) uint32 {
	if len(labels) == 0 {
		return 0
	}
	all := make([]pair, 0, len(labels))
	for key, value := range labels {
		all = append(all, pair{t.words.id(key), t.words.id(value)})
	}
	return t.labels.id(pack(all))
}

// labelsOf writes a set of labels out. The empty set is nil.
func (t *tables) labelsOf(id uint32) map[string]string {
	p := t.labels.get(id)
	if p.len() == 0 {
		return nil
	}
	labels := make(map[string]string, p.len())
	for i := range p.len() {
		key, value := p.at(i)
		labels[t.words.get(key)] = t.words.get(value)
	}
	return labels
}

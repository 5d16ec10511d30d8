package coverage

import (
	"encoding/binary"
	"sync"
)

// table gives each distinct value a number, in the order in which they come. It only
// grows. It is safe for concurrent use.
type table[T comparable] struct {
	mu     sync.RWMutex
	ids    map[T]uint32
	values []T
}

func newTable[T comparable](first ...T) *table[T] {
	t := &table[T]{ids: map[T]uint32{}}
	for _, v := range first {
		t.id(v)
	}
	return t
}

// id returns the number of a value, a new one if it has none.
func (t *table[T]) id(v T) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.ids[v]; ok {
		return id
	}
	id := uint32(len(t.values))
	t.ids[v] = id
	t.values = append(t.values, v)
	return id
}

// find returns the number of a value if it has one.
func (t *table[T]) find(v T) (uint32, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	id, ok := t.ids[v]
	return id, ok
}

// all returns the values so far, by number. The slice must not be modified.
func (t *table[T]) all() []T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.values[:len(t.values):len(t.values)]
}

func (t *table[T]) get(id uint32) T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.values[id]
}

// pairs is a small mapping from numbers to numbers, sorted by key and packed: a set of
// labels, or what is known of an object's content.
type pairs string

const pairSize = 8

// appendPair packs one more pair.
func appendPair(b []byte, key, value uint32) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, key), value)
}

func (p pairs) len() int { return len(p) / pairSize }

// at returns the i-th pair.
func (p pairs) at(i int) (key, value uint32) {
	b := p[i*pairSize : i*pairSize+pairSize]
	return number(b[:4]), number(b[4:])
}

func number(b pairs) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// get returns the value of a key.
func (p pairs) get(key uint32) (value uint32, ok bool) {
	for i := range p.len() {
		if k, v := p.at(i); k == key {
			return v, true
		}
	}
	return 0, false
}

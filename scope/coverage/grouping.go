package coverage

import (
	"fmt"
	"strings"
	"sync"
)

// grouping puts sets of labels that agree in what somebody sees of them into one group.
type grouping struct {
	keys []string
	// all tells every set from every other; otherwise those are told apart that differ in a
	// key, and the empty set from all others.
	all bool

	groups []uint32
	next   uint32
	// steps remembers, for each key, which group a value made of a group.
	steps []map[groupStep]uint32
}

type groupStep struct{ group, value uint32 }

// of returns the group of a set of labels.
func (g *grouping) of(set uint32) uint32 {
	if g.all {
		return set
	}
	return g.groups[set]
}

// len is one more than the highest group.
func (g *grouping) len() int {
	if g.all {
		return len(g.groups)
	}
	return int(g.next)
}

// extend puts the sets that are new into groups. A set starts in the group of sets that
// have none of the keys, and each key that it has moves it to the group for its value.
func (g *grouping) extend(words *table[string], sets []pairs) {
	from := len(g.groups)
	g.groups = append(g.groups, make([]uint32, len(sets)-from)...)
	if g.all {
		return
	}
	if from == 0 {
		// The empty set, which comes first, has a group of its own.
		g.next = 2
		g.steps = make([]map[groupStep]uint32, len(g.keys))
	}
	for id := max(from, 1); id < len(sets); id++ {
		g.groups[id] = 1
	}
	for i, key := range g.keys {
		if id, ok := words.find(key); ok {
			g.divide(i, id, sets, from)
		}
	}
}

// divide moves the new sets that have one key.
func (g *grouping) divide(i int, key uint32, sets []pairs, from int) {
	if g.steps[i] == nil {
		g.steps[i] = map[groupStep]uint32{}
	}
	for id := from; id < len(sets); id++ {
		value, ok := sets[id].get(key)
		if !ok {
			continue
		}
		step := groupStep{g.groups[id], value}
		group, ok := g.steps[i][step]
		if !ok {
			group = g.next
			g.steps[i][step] = group
			g.next++
		}
		g.groups[id] = group
	}
}

// groupings holds the groupings of an Evaluator, one for each thing that is seen of labels.
type groupings struct {
	mu    sync.Mutex
	words *table[string]
	sets  []pairs
	known map[string]*grouping
}

func newGroupings(t *tables) *groupings {
	return &groupings{words: t.words, known: map[string]*grouping{}}
}

// extend takes in new sets of labels. Nothing may use the groupings meanwhile.
func (all *groupings) extend(sets []pairs) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.sets = sets
	for _, g := range all.known {
		g.extend(all.words, sets)
	}
}

// of returns the grouping for what somebody sees of labels; nil if it is nothing.
func (all *groupings) of(s sight) *grouping {
	if !s.hasLabels {
		return nil
	}
	key := "*"
	if !s.allLabels {
		key = fmt.Sprintf("%d:%s", len(s.keys), strings.Join(s.keys, "\n"))
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	g := all.known[key]
	if g == nil {
		g = &grouping{keys: s.keys, all: s.allLabels}
		g.extend(all.words, all.sets)
		all.known[key] = g
	}
	return g
}

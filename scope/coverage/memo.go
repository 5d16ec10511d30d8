package coverage

import (
	"context"
	"sync"

	"github.com/ambit-k8s/ambit/scope"
)

// memo remembers the answers to one question about the objects of one resource, one for
// each distinct input. Answers are numbers above zero; what they mean is the owner's
// affair. It is safe for concurrent use.
type memo struct {
	in    inputs
	asker *asker
	// keyed says that several policies have the memo, and its answers are steps of the
	// Evaluator.
	keyed bool
	// gaps are the gaps of the requests that the question can see.
	gaps  []gap
	phase scope.Phase
	// matched is the version in which the question sees the object.
	matched scope.Matched
	ask     func(context.Context, scope.Question) uint32

	mu sync.Mutex
	// ones are the answers by namespace, if no more is read; zero is none yet. Namespace zero
	// stands for all if the namespace is not read.
	ones []uint32
	// classes are the answers by what is read of the labels of a Namespace.
	classes map[string]uint32
	spaces  []*space
	// bySet are the answers by set of labels, where these alone are read.
	bySet []uint8
	// most is the highest of them.
	most uint8
}

// space holds the answers in one namespace, or in all if the namespace is not read.
type space struct {
	// dense has the answers by group of labels, or by content; the others are in a map.
	dense []uint32
	many  map[input]uint32
}

// input is what a question that reads more than one thing reads of one object.
type input struct {
	name            string
	labels, content uint32
}

func newMemo(in inputs, a *asker, phase scope.Phase, matched scope.Matched, ask func(context.Context, scope.Question) uint32) *memo {
	m := &memo{in: in, asker: a, phase: phase, matched: matched, ask: ask}
	for _, g := range a.gaps {
		if in.content != nil && in.content.Touches(g.path[1:]) {
			m.gaps = append(m.gaps, g)
		}
	}
	return m
}

// space returns the answers for a namespace.
func (m *memo) space(namespace uint32) *space {
	namespace = m.spaceOf(namespace)
	if missing := int(namespace) + 1 - len(m.spaces); missing > 0 {
		m.spaces = append(m.spaces, make([]*space, missing)...)
	}
	s := m.spaces[namespace]
	if s == nil {
		s = &space{}
		m.spaces[namespace] = s
	}
	return s
}

// forget drops the answers that a change makes worthless.
func (m *memo) forget(c *changes) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.in.params && c.params, m.in.object && m.asker.namespaces && c.namespaces():
		clear(m.spaces)
		clear(m.ones)
		clear(m.classes)
		m.bySet = nil
	case m.in.object:
		for namespace := range c.ids {
			if int(namespace) < len(m.ones) {
				m.ones[namespace] = 0
			}
			if int(namespace) < len(m.spaces) {
				m.spaces[namespace] = nil
			}
		}
	}
}

// fill writes the answers for some objects of a block.
func (m *memo) fill(ctx context.Context, w *worker, b *block, objects []int32, out []uint32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.space(b.namespace)
	if m.dense() {
		if m.in.labels != nil {
			return m.fillDense(ctx, w, b, s, objects, out, m.in.labels)
		}
		return m.fillContent(ctx, w, b, s, objects, out)
	}
	for k, i := range objects {
		answer, err := m.known(ctx, w, b, i, s, m.key(w.pop, b, i))
		if err != nil {
			return err
		}
		out[k] = answer
	}
	return nil
}

// dense reports whether the answers can be kept by number: they depend on the labels
// alone, or on the content alone.
func (m *memo) dense() bool {
	return !m.in.space && !m.in.name && (m.in.labels == nil) != (m.in.column < 0)
}

// known returns the answer for an input, which it works out if it is new.
func (m *memo) known(ctx context.Context, w *worker, b *block, i int32, s *space, key input) (uint32, error) {
	if answer, ok := s.many[key]; ok {
		return answer, nil
	}
	answer, err := m.answer(ctx, w, b, i, key.content)
	if err != nil {
		return 0, err
	}
	if s.many == nil {
		s.many = map[input]uint32{}
	}
	s.many[key] = answer
	return answer, nil
}

// fillDense serves questions that read labels only.
func (m *memo) fillDense(ctx context.Context, w *worker, b *block, s *space, objects []int32, out []uint32, g *grouping) error {
	if missing := g.len() - len(s.dense); missing > 0 {
		s.dense = append(s.dense, make([]uint32, missing)...)
	}
	dense, groups := s.dense, g.groups
	for k, i := range objects {
		group := b.labels[i]
		if !g.all {
			group = groups[group]
		}
		answer := dense[group]
		if answer == 0 {
			var err error
			if answer, err = m.labelled(ctx, w, b, i, s); err != nil {
				return err
			}
			dense[group] = answer
		}
		out[k] = answer
	}
	return nil
}

// labelled returns the answer for the labels of an object whose group has none yet. Groups
// that differ in nothing that makes a difference have the same.
func (m *memo) labelled(ctx context.Context, w *worker, b *block, i int32, s *space) (uint32, error) {
	if m.in.tests == nil {
		return m.answer(ctx, w, b, i, 0)
	}
	return m.known(ctx, w, b, i, s, input{name: m.in.class(w.pop.tables, b.labels[i])})
}

// fillContent serves questions that read content only. Different contents may have the
// same value in the one column that is read.
func (m *memo) fillContent(ctx context.Context, w *worker, b *block, s *space, objects []int32, out []uint32) error {
	for k, i := range objects {
		content := b.contents[i]
		if missing := int(content) + 1 - len(s.dense); missing > 0 {
			s.dense = append(s.dense, make([]uint32, missing)...)
		}
		if s.dense[content] == 0 {
			answer, err := m.known(ctx, w, b, i, s, input{content: valueOf(w.pop, content, m.in.column)})
			if err != nil {
				return err
			}
			s.dense[content] = answer
		}
		out[k] = s.dense[content]
	}
	return nil
}

// valueOf returns one more than the number of the value that a content has in a column, or
// zero if it is not known.
func valueOf(pop *Population, content uint32, column int) uint32 {
	if value, ok := pop.tables.contents.get(content).get(uint32(column)); ok {
		return value + 1
	}
	return 0
}

// answer asks the question about one object, which stands for all that agree with it. An
// answer that was interrupted is none.
func (m *memo) answer(ctx context.Context, w *worker, b *block, i int32, value uint32) (uint32, error) {
	var q scope.Question
	if m.in.constant() {
		q = w.question(m.asker, m.phase, b)
	} else {
		s := subject{namespace: w.namespaces[b.namespace], name: b.names[i], gaps: m.gaps, bare: m.in.content == nil}
		if m.in.labels != nil {
			s.labels = w.pop.tables.labelsOf(b.labels[i])
		}
		if value > 0 {
			s.content = w.pop.tables.values.get(value - 1)
		} else {
			s.missing = m.in.content
		}
		q = m.asker.question(s, m.phase)
	}
	q.Matched = m.matched
	answer := m.ask(ctx, q)
	return answer, ctx.Err()
}

// seen returns what of an object the question sees.
func (m *memo) seen(pop *Population, b *block, i int32) (namespace uint32, key input) {
	if m.in.space {
		namespace = b.namespace
	}
	return namespace, m.key(pop, b, i)
}

// key is what of an object the question sees beside its namespace.
func (m *memo) key(pop *Population, b *block, i int32) input {
	key := input{name: m.in.nameOf(b.names[i])}
	if m.in.labels != nil {
		key.labels = m.in.labels.of(b.labels[i])
	}
	if m.in.column >= 0 {
		key.content = valueOf(pop, b.contents[i], m.in.column)
	}
	return key
}

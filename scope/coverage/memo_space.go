package coverage

import (
	"context"
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
)

// spaceOf returns the namespace under which the answers for another are kept.
func (m *memo) spaceOf(namespace uint32) uint32 {
	if !m.in.space {
		return 0
	}
	return namespace
}

// constant returns the answer for all objects of a block, if there is one.
func (m *memo) constant(ctx context.Context, w *worker, b *block) (uint32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.one(ctx, w, b)
}

func (m *memo) one(ctx context.Context, w *worker, b *block) (uint32, error) {
	namespace := m.spaceOf(b.namespace)
	if missing := int(namespace) + 1 - len(m.ones); missing > 0 {
		m.ones = append(m.ones, make([]uint32, max(missing, len(w.namespaces)-len(m.ones)))...)
	}
	if m.ones[namespace] == 0 {
		answer, err := m.inSpace(ctx, w, b)
		if err != nil {
			return 0, err
		}
		m.ones[namespace] = answer
	}
	return m.ones[namespace], nil
}

// inSpace returns the answer in a namespace that has none yet. Namespaces that differ in
// nothing that makes a difference have the same.
func (m *memo) inSpace(ctx context.Context, w *worker, b *block) (uint32, error) {
	var room [64]byte
	class, ok := m.spaceClass(room[:0], w.namespaces[b.namespace])
	if !ok {
		return m.answer(ctx, w, b, 0, 0)
	}
	if known := m.classes[string(class)]; known > 0 {
		return known, nil
	}
	answer, err := m.answer(ctx, w, b, 0, 0)
	if err != nil {
		return 0, err
	}
	if m.classes == nil {
		m.classes = map[string]uint32{}
	}
	m.classes[string(class)] = answer
	return answer, nil
}

// constants returns the answers by namespace for all namespaces in which there are objects of
// a row. Only these may be read.
func (m *memo) constants(ctx context.Context, w *worker, of *row) ([]uint32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range of.spaces() {
		if namespace := int(m.spaceOf(s.namespace)); namespace >= len(m.ones) || m.ones[namespace] == 0 {
			if _, err := m.one(ctx, w, of.blocks[s.first]); err != nil {
				return nil, err
			}
		}
	}
	return m.ones, nil
}

// spaceClass appends as much of a Namespace as makes a difference to a question; false if it
// is not known to exist, or if the question looks at more of it than some labels.
func (m *memo) spaceClass(class []byte, namespace string) ([]byte, bool) {
	if m.in.spaceLabels == nil || namespace == "" || m.asker.facts.Namespaces == nil {
		return nil, false
	}
	object, presence := m.asker.facts.Namespaces.Namespace(namespace)
	if presence != scope.Present {
		return nil, false
	}
	for _, label := range m.in.spaceLabels {
		value, has := object.Labels[label.key]
		switch {
		case !has:
			class = append(class, 'a')
		case label.tests == nil:
			class = strconv.AppendQuote(append(class, 'v'), value)
		default:
			class = append(class, 't')
			for _, t := range label.tests {
				class = append(class, t.Answer(value))
			}
		}
	}
	return class, true
}

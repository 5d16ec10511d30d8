package coverage

import (
	"context"
	"slices"
)

// answers returns the answers by set of labels, all of them below known. The question reads
// nothing else, so that an object with the right labels can be made up.
func (m *memo) answers(ctx context.Context, w *worker) (bySet []uint8, known int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	from, sets := len(m.bySet), len(m.in.labels.groups)
	if from == sets {
		return m.bySet, int(m.most) + 1, nil
	}
	var one [1]uint32
	m.bySet = slices.Grow(m.bySet, sets-from)
	b := &block{names: []string{"any"}, labels: make([]uint32, 1), contents: make([]uint32, 1)}
	s := m.space(0)
	dense := s.dense
	for set := from; set < sets; set++ {
		group := int(m.in.labels.of(uint32(set)))
		if group >= len(dense) || dense[group] == 0 {
			b.labels[0] = uint32(set)
			if err := m.fillDense(ctx, w, b, s, []int32{0}, one[:], m.in.labels); err != nil {
				return nil, 0, err
			}
			dense = s.dense
		}
		m.bySet = append(m.bySet, uint8(dense[group]))
		m.most = max(m.most, uint8(dense[group]))
	}
	return m.bySet, int(m.most) + 1, nil
}

package coverage

import "github.com/ambit-k8s/ambit/scope"

// joiner joins the answers of a divided layer, and remembers how each combination of
// answers came out.
type joiner struct {
	plan    *plan
	divided scope.Divided
	layer   int
	// states are the combinations so far: a state and one more answer make another state.
	next   map[joined]uint32
	states []joined
	steps  []uint16
}

// joined is a state and the answer to the next question.
type joined struct{ state, said uint32 }

func newJoiner(p *plan, d scope.Divided, layer int) *joiner {
	return &joiner{plan: p, divided: d, layer: layer, next: map[joined]uint32{}, states: make([]joined, 1), steps: make([]uint16, 1)}
}

// add returns the state after one more answer.
func (j *joiner) add(state, said uint32) uint32 {
	key := joined{state, said}
	next, ok := j.next[key]
	if !ok {
		next = uint32(len(j.states))
		j.next[key] = next
		j.states = append(j.states, key)
		j.steps = append(j.steps, 0)
	}
	return next
}

// step returns the number of the layer's step in a state in which all have answered.
func (j *joiner) step(state uint32) uint16 {
	if j.steps[state] == 0 {
		var said []scope.Said
		for s := state; s != 0; s = j.states[s].state {
			said = append([]scope.Said{j.plan.e.said.get(j.states[s].said)}, said...)
		}
		j.steps[state] = j.plan.step(j.layer, j.divided.Join(said))
	}
	return j.steps[state]
}

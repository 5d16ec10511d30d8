// Package generate makes up FlowSchemas and requests. Both draw from the same few names, so that requests often match,
// and often miss by one thing.
package generate

import "math/rand/v2"

// Generator makes up everything from one source of randomness.
type Generator struct{ *rand.Rand }

// New returns a generator; the same seed and round give the same schemas and requests.
func New(seed, round uint64) *Generator {
	return &Generator{rand.New(rand.NewPCG(seed, round))}
}

// once is true once in n.
func (g *Generator) once(n int) bool { return g.IntN(n) == 0 }

// pick returns one of several values.
func pick[T any](g *Generator, values []T) T { return values[g.IntN(len(values))] }

// few returns between one and most of the values, each at most once.
func few[T any](g *Generator, most int, values []T) []T {
	n := 1 + g.IntN(min(most, len(values)))
	var chosen []T
	for _, i := range g.Perm(len(values))[:n] {
		chosen = append(chosen, values[i])
	}
	return chosen
}

package generate

import "math/rand/v2"

// pick returns one of several values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// some returns a random non-empty part of values.
func some[T any](r *rand.Rand, values ...T) []T {
	var part []T
	for _, v := range values {
		if r.IntN(3) == 0 {
			part = append(part, v)
		}
	}
	if len(part) == 0 {
		part = append(part, pick(r, values...))
	}
	return part
}

// chance is true once in n.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

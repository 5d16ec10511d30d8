package server

import "sync"

// mostQuestions bounds what is remembered: something for each of the last few questions
// that somebody asked about the whole population.
const mostQuestions = 4

// recent keeps a value for each of the questions that were asked last.
type recent[T any] struct {
	mu   sync.Mutex
	kept []keptFor[T]
}

type keptFor[T any] struct {
	question string
	value    T
}

// of returns the value for a question, and makes it where there is none. The question that
// was asked longest ago makes room.
func (r *recent[T]) of(question string, made func() T) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, k := range r.kept {
		if k.question == question {
			copy(r.kept[1:i+1], r.kept[:i])
			r.kept[0] = k
			return k.value
		}
	}
	k := keptFor[T]{question, made()}
	r.kept = append([]keptFor[T]{k}, r.kept[:min(len(r.kept), mostQuestions-1)]...)
	return k.value
}

package coverage

import "slices"

// pageSize bounds what is copied when one element of pages changes.
const pageSize = 64

// pages is a list in pieces. A copy shares the pieces until one is changed.
type pages[T any] [][]T

func (p pages[T]) len() int {
	if len(p) == 0 {
		return 0
	}
	return (len(p)-1)*pageSize + len(p[len(p)-1])
}

func (p pages[T]) at(i int) *T { return &p[i/pageSize][i%pageSize] }

// grown returns a list with at least n elements, which shares pages with this one. The last
// page is always whole.
func (p pages[T]) grown(n int) pages[T] {
	missing := (n+pageSize-1)/pageSize - len(p)
	if missing <= 0 {
		return p
	}
	return append(slices.Clip(p), newWriter[T](missing*pageSize).pages...)
}

// writer changes a list without changing the one that it was made from.
type writer[T any] struct {
	pages pages[T]
	// own says which pages are its own, and flat has all of them if they all are.
	own  []bool
	flat []T
}

// newWriter begins a list of at least n elements.
func newWriter[T any](n int) *writer[T] {
	flat := make([]T, (n+pageSize-1)/pageSize*pageSize)
	return &writer[T]{pages: slices.Collect(slices.Chunk(flat, pageSize)), flat: flat}
}

// copyOf begins to change a list that somebody else may have.
func copyOf[T any](p pages[T]) *writer[T] {
	return &writer[T]{pages: slices.Clone(p), own: make([]bool, len(p))}
}

// at returns an element, which may be changed.
func (w *writer[T]) at(i int) *T {
	if w.flat != nil {
		return &w.flat[i]
	}
	page := i / pageSize
	if !w.own[page] {
		w.pages[page], w.own[page] = slices.Clone(w.pages[page]), true
	}
	return &w.pages[page][i%pageSize]
}

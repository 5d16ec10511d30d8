package coverage

import "slices"

// pageSize bounds what is copied when one element of pages changes.
const pageSize = 64

// pages is a list in pieces. A copy shares the pieces until one is changed.
type pages[T any] [][]T

func makePages[T any](n int) pages[T] {
	return pages[T](nil).grown(n)
}

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
	all := append(make(pages[T], 0, len(p)+missing), p...)
	room := make([]T, missing*pageSize)
	for ; missing > 0; missing-- {
		all, room = append(all, room[:pageSize:pageSize]), room[pageSize:]
	}
	return all
}

// writer changes a list without changing the one that it was made from.
type writer[T any] struct {
	pages pages[T]
	// own says which pages are its own.
	own []bool
}

// copyOf begins to change a list that somebody else may have.
func copyOf[T any](p pages[T]) *writer[T] {
	return &writer[T]{pages: slices.Clone(p), own: make([]bool, len(p))}
}

// at returns an element, which may be changed.
func (w *writer[T]) at(i int) *T {
	page := i / pageSize
	if w.own != nil && !w.own[page] {
		w.pages[page], w.own[page] = slices.Clone(w.pages[page]), true
	}
	return &w.pages[page][i%pageSize]
}

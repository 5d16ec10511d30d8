package views

import (
	"slices"
	"strconv"
	"strings"
)

// tab is the entry of the coverage pages that the matrix belongs to.
func (q CoverageQuery) tab() string {
	if q.By == ByResource {
		return "/coverage?by=resource"
	}
	return "/coverage"
}

// tabHref takes what was asked along to another page.
func tabHref(to string, a Asked) string {
	path, query, _ := strings.Cut(to, "?")
	v := a.values()
	if name, value, ok := strings.Cut(query, "="); ok {
		v.Set(name, value)
	}
	return href(path, v)
}

func (q CoverageQuery) rowWord() string {
	if q.By == ByResource {
		return "Resource"
	}
	return "Namespace"
}

func (q CoverageQuery) rowsWord() string { return q.rowWord() + "s" }

// unfiltered is the address of the whole matrix.
func (q CoverageQuery) unfiltered() string {
	q.Kind, q.Policy, q.Row, q.Gaps, q.RowPage, q.ColumnPage = "", "", "", false, 0, 0
	return q.Href()
}

func (m Matrix) columnCount() string { return strconv.Itoa(len(m.Columns)) }
func (m Matrix) rowCount() string    { return strconv.Itoa(len(m.Rows)) }

// hasEmpty reports whether some row needs the mark for no objects.
func (m Matrix) hasEmpty() bool {
	return slices.ContainsFunc(m.Rows, func(r MatrixRow) bool { return r.Empty })
}

// total is the number of objects in the rows that are shown, and missed that of those which
// no policy reaches.
func (m Matrix) total() int {
	n := 0
	for _, r := range m.Rows {
		n += r.Objects
	}
	return n
}

func (m Matrix) missed() int {
	n := 0
	for _, r := range m.Rows {
		n += r.Reach.Unreached
	}
	return n
}

// percent writes a part of a whole so that something is never nothing, nor everything.
func percent(n, of int) string {
	switch {
	case of == 0:
		return ""
	case n > 0 && 100*n < of:
		return "under 1 %"
	case n < of && 1000*n > 995*of:
		return "over 99 %"
	}
	return strconv.Itoa((100*n+of/2)/of) + " %"
}

// noun is the word for a number of things.
func noun(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

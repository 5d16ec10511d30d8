package views

import (
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// CoveragePage is the matrix of what policies reach in the objects that exist.
type CoveragePage struct {
	Query CoverageQuery
	State PopulationState
	Lede  Sentence
	Sums  []Sum
	Kinds []string
	Matrix
	// Window is the part of the matrix that stands on the page before a script draws it all.
	Window MatrixWindow
}

// Sum is a number over all objects, with its part of them.
type Sum struct {
	Word, Class, Href string
	Count, Of         int
}

// NewCoveragePage lays a result out. A nil result is that of a source without objects.
func NewCoveragePage(c *Catalog, r *coverage.Result, state PopulationState, q CoverageQuery) CoveragePage {
	page := CoveragePage{Query: q, State: state}
	if r == nil {
		return page
	}
	kinds := map[string]bool{}
	for _, g := range c.Admission() {
		kinds[g.Kind] = true
	}
	page.Kinds = keys(kinds)
	page.Matrix = NewMatrix(c, r, q)
	page.Window = page.window(q)
	reach, total := r.Reach(), r.Population().Len()
	page.Lede = coverageLede(r, state, reach, len(emptyNamespaces(c, r)))
	page.Sums = []Sum{
		{"reached by a policy", "in", "", reach.Reached, total},
		{"reached by none", "out", href("/coverage/unreached", q.Asked.values()), reach.Unreached, total},
		{"cannot be told", "unk", "", reach.Unknown, total},
	}
	return page
}

// coverageLede says in a sentence what is looked at, and how much no policy looks at.
func coverageLede(r *coverage.Result, state PopulationState, reach coverage.Reach, empty int) Sentence {
	pop := r.Population()
	used := 0
	for _, ns := range pop.Namespaces() {
		if ns != "" {
			used++
		}
	}
	namespaces := many(used, "namespace", "namespaces")
	if empty > 0 {
		namespaces = count(used) + " of " + many(used+empty, "namespace", "namespaces")
	}
	s := Sentence{}.strong(many(r.Len(), "policy", "policies")).plain(" over ").strong(atLeast(state) + many(pop.Len(), "object", "objects"))
	s = s.plain(" in " + namespaces + ", as " + writeOf(r.Ask()) + " of each would be seen. ")
	switch {
	case reach.Unreached == pop.Len():
		return s.strong("No policy reaches any of them").plain(".")
	case reach.Unreached == 0 && reach.Unknown == 0:
		return s.plain("Every object is reached by some policy.")
	case reach.Unreached == 0:
		return s.plain("Whether some policy reaches them cannot be told for " + many(reach.Unknown, "object", "objects") + ".")
	}
	return s.strong(many(reach.Unreached, "object", "objects")).plain(noun(reach.Unreached, " is", " are") + " reached by no policy.")
}

func atLeast(state PopulationState) string {
	if state.whole() {
		return ""
	}
	return "at least "
}

// writeOf names the write that was asked about, and who sends it.
func writeOf(a coverage.Ask) string {
	s := "a CREATE"
	switch a.Operation {
	case "UPDATE":
		s = "an UPDATE"
	case "DELETE":
		s = "a DELETE"
	}
	if a.User != nil {
		s += " by " + a.User.Username
	}
	return s
}

// MatrixWindow is a part of a matrix.
type MatrixWindow struct {
	Columns []MatrixColumn
	Rows    []MatrixRow
	// RowPages and ColumnPages lead to the parts around it.
	RowPages, ColumnPages Paging
}

// The size of the window.
const (
	windowRows    = 50
	windowColumns = 16
)

func (m Matrix) window(q CoverageQuery) MatrixWindow {
	w := MatrixWindow{
		RowPages: newPaging(len(m.Rows), windowRows, q.RowPage, func(page int) string {
			q := q
			q.RowPage = page
			return q.Href()
		}),
		ColumnPages: newPaging(len(m.Columns), windowColumns, q.ColumnPage, func(page int) string {
			q := q
			q.ColumnPage = page
			return q.Href()
		}),
	}
	w.Columns = m.Columns[w.ColumnPages.from:w.ColumnPages.to]
	for _, r := range m.Rows[w.RowPages.from:w.RowPages.to] {
		r.Cells = r.Cells[w.ColumnPages.from:w.ColumnPages.to]
		w.Rows = append(w.Rows, r)
	}
	return w
}

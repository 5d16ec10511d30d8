package server

import (
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"github.com/ambit-k8s/ambit/views"
)

// coverage shows the matrix of what the policies reach in the objects that exist.
func (s *server) coverage(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "Coverage", "/coverage")
	c, asked, err := s.coveredFor(r)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	query := views.CoverageQuery{
		Asked: asked, Kind: q.Get("kind"), Policy: q.Get("policy"), Row: q.Get("row"), Gaps: q.Get("gaps") == "true", Sort: q.Get("sort"),
		RowPage: number(r, "rows"), ColumnPage: number(r, "columns"),
	}
	if q.Get("by") == views.ByResource {
		query.By = views.ByResource
	}
	if q.Get("format") == "matrix" && c.result != nil {
		writeJSON(w, http.StatusOK, views.NewMatrix(c.Catalog, c.result, query).Data(query))
		return nil
	}
	if f := format(r); f != "" {
		return writeTable(w, f, coverageTable(c, query))
	}
	l.Script = "coverage.js"
	page := views.NewCoveragePage(c.Catalog, c.result, populationState(c.Population), query)
	var findings templ.Component
	if !page.State.None {
		var list views.FindingList
		list, l.Findings = s.findings(r.Context())
		findings = views.Findings(list)
	}
	s.write(w, r, http.StatusOK, views.Coverage(l, page, findings))
	return nil
}

// number reads a number out of the address; what is none is zero.
func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// coverageTable has a line for each cell of the matrix.
func coverageTable(c *covered, q views.CoverageQuery) table {
	rows := "namespace"
	if q.By == views.ByResource {
		rows = "resource"
	}
	t := table{name: "coverage", header: []string{"kind", "name", "entry", rows, "mark", "applicable", "included", "error", "unknown"}}
	t.rows = func(yield func([]any) bool) {
		if c.result == nil {
			return
		}
		m := views.NewMatrix(c.Catalog, c.result, q)
		for _, row := range m.Rows {
			key := row.Key
			if key == views.NoNamespace {
				key = ""
			}
			for i, cell := range row.Cells {
				p := m.Columns[i].Policy
				if !yield([]any{p.Kind, views.PolicyName(p), p.Entry, key, row.Mark(cell), cell.Applicable, cell.Included, cell.Error, cell.Unknown}) {
					return
				}
			}
		}
	}
	return t
}

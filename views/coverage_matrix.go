package views

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// Matrix is how much of each row's objects each policy reaches.
type Matrix struct {
	Columns []MatrixColumn
	Rows    []MatrixRow
	// Policies and AllRows count what is there without any filter.
	Policies, AllRows int
}

// MatrixColumn is one policy.
type MatrixColumn struct {
	*Entry
	Title string
	// index is the policy's number in the result.
	index int
	Total coverage.Counts
	gaps  int
}

// MatrixRow is one namespace or one resource.
type MatrixRow struct {
	// Key stands in addresses, Title on the page.
	Key, Title, Href string
	Objects          int
	// Empty says that no objects are known in the namespace, so that a policy reaches nothing
	// there whatever it selects.
	Empty bool
	Reach coverage.Reach
	// Cells are in the order of the columns.
	Cells []coverage.Counts
	gaps  int
	count func(policy int) coverage.Counts
}

// outside is the title of the row of objects that are in no namespace.
const outside = "outside of namespaces"

// NewMatrix lays a result out as a query wants it.
func NewMatrix(c *Catalog, r *coverage.Result, q CoverageQuery) Matrix {
	m := Matrix{}
	for _, col := range matrixColumns(c, r) {
		m.Policies++
		if q.passes(col.Entry) {
			m.Columns = append(m.Columns, col)
		}
	}
	words := strings.Fields(strings.ToLower(q.Row))
	for _, row := range matrixRows(c, r, q) {
		m.AllRows++
		if containsAll(strings.ToLower(row.Title), words) {
			m.Rows = append(m.Rows, row)
		}
	}
	m.fill()
	if q.Gaps {
		m.onlyGaps()
	}
	m.sort(q)
	return m
}

// passes reports whether a policy passes the filter of a query.
func (q CoverageQuery) passes(e *Entry) bool {
	return (q.Kind == "" || q.Kind == e.Policy.Kind) && containsAll(e.Words, strings.Fields(strings.ToLower(q.Policy)))
}

// matrixColumns are the policies of a result in a request's order.
func matrixColumns(c *Catalog, r *coverage.Result) []MatrixColumn {
	index := make(map[*scope.Policy]int, r.Len())
	for i := range r.Len() {
		index[r.Policy(i)] = i
	}
	columns := make([]MatrixColumn, 0, r.Len())
	for _, g := range c.Admission() {
		for _, e := range g.Entries {
			if i, ok := index[e.Policy]; ok {
				columns = append(columns, MatrixColumn{Entry: e, Title: policyTitle(c, e), index: i, Total: r.Total(i)})
			}
		}
	}
	return columns
}

// matrixRows are the namespaces, those without any object last, or the resources of which there
// are objects.
func matrixRows(c *Catalog, r *coverage.Result, q CoverageQuery) []MatrixRow {
	var rows []MatrixRow
	if q.By == ByResource {
		for _, resource := range r.Population().Resources() {
			name := resource.GroupResource().String()
			rows = append(rows, MatrixRow{
				Key: name, Title: name, Objects: r.Population().Count(resource), Reach: r.ReachOf(resource),
				count: func(policy int) coverage.Counts { return r.Of(policy, resource) },
			})
		}
		return rows
	}
	for _, namespace := range r.Population().Namespaces() {
		row := MatrixRow{
			Key: namespace, Title: namespace, Href: NamespaceHref(q.Asked, namespace), Reach: r.ReachIn(namespace),
			count: func(policy int) coverage.Counts { return r.In(policy, namespace) },
		}
		if namespace == "" {
			row.Key, row.Title = NoNamespace, "no namespace"
		}
		row.Objects = row.Reach.Reached + row.Reach.Unknown + row.Reach.Unreached
		rows = append(rows, row)
	}
	for _, namespace := range emptyNamespaces(c, r) {
		rows = append(rows, MatrixRow{
			Key: namespace, Title: namespace, Href: NamespaceHref(q.Asked, namespace), Empty: true,
			count: func(int) coverage.Counts { return coverage.Counts{} },
		})
	}
	return rows
}

// emptyNamespaces are those in which no objects are known, sorted.
func emptyNamespaces(c *Catalog, r *coverage.Result) []string {
	used := r.Population().Namespaces()
	var empty []string
	for _, ns := range c.Namespaces {
		if _, ok := slices.BinarySearch(used, ns.Name); !ok {
			empty = append(empty, ns.Name)
		}
	}
	return empty
}

// fill counts what is in the cells.
func (m *Matrix) fill() {
	for i := range m.Rows {
		row := &m.Rows[i]
		row.Cells = make([]coverage.Counts, len(m.Columns))
		for j := range m.Columns {
			row.Cells[j] = row.count(m.Columns[j].index)
			if isGap(row.Cells[j]) {
				row.gaps++
				m.Columns[j].gaps++
			}
		}
	}
}

// isGap reports whether a policy may leave out some of the objects that it could reach.
func isGap(c coverage.Counts) bool {
	mark := c.Mark()
	return mark != coverage.Full && mark != coverage.NotApplicable
}

// onlyGaps leaves out rows and columns without any gap.
func (m *Matrix) onlyGaps() {
	var columns []MatrixColumn
	kept := make([]int, 0, len(m.Columns))
	for i, c := range m.Columns {
		if c.gaps > 0 {
			columns, kept = append(columns, c), append(kept, i)
		}
	}
	m.Columns = columns
	m.Rows = slices.DeleteFunc(m.Rows, func(r MatrixRow) bool { return r.gaps == 0 })
	m.pick(kept)
}

// pick puts the cells of every row into an order of columns.
func (m *Matrix) pick(order []int) {
	for i := range m.Rows {
		cells := make([]coverage.Counts, len(order))
		for j, from := range order {
			cells[j] = m.Rows[i].Cells[from]
		}
		m.Rows[i].Cells = cells
	}
}

// The orders of a matrix besides that of names: what has most gaps first, or most objects.
const (
	sortGaps    = "gaps"
	sortObjects = "objects"
)

func (m *Matrix) sort(q CoverageQuery) {
	var rowKey func(MatrixRow) int
	var columnKey func(MatrixColumn) int
	switch q.Sort {
	case sortGaps:
		rowKey = func(r MatrixRow) int { return r.gaps }
		columnKey = func(c MatrixColumn) int { return c.gaps }
	case sortObjects:
		rowKey = func(r MatrixRow) int { return r.Objects }
		columnKey = func(c MatrixColumn) int { return int(c.Total.Applicable) }
	default:
		return
	}
	slices.SortStableFunc(m.Rows, func(a, b MatrixRow) int { return cmp.Compare(rowKey(b), rowKey(a)) })
	order := make([]int, len(m.Columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(columnKey(m.Columns[b]), columnKey(m.Columns[a])) })
	columns := make([]MatrixColumn, len(order))
	for i, from := range order {
		columns[i] = m.Columns[from]
	}
	m.Columns = columns
	m.pick(order)
}

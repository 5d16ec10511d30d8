package views

// MatrixData is a matrix as a script draws it: one letter for each cell.
type MatrixData struct {
	By      string             `json:"by"`
	Shown   string             `json:"shown"`
	Columns []MatrixDataColumn `json:"columns"`
	Rows    []MatrixDataRow    `json:"rows"`
}

// MatrixDataColumn is one policy.
type MatrixDataColumn struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
	Href string `json:"href"`
	// Mark is the mark over all objects, and Total says it with numbers.
	Mark  string `json:"mark"`
	Total string `json:"total"`
}

// MatrixDataRow is one namespace or resource.
type MatrixDataRow struct {
	Key     string `json:"key"`
	Title   string `json:"title"`
	Href    string `json:"href,omitempty"`
	Objects int    `json:"objects"`
	// Missed is the number of objects that no policy reaches.
	Missed int `json:"missed"`
	// Empty is a namespace in which no objects are known.
	Empty bool `json:"empty,omitempty"`
	// Cells has f for all, a digit for a part in tenths, n for none, u for unknown, and - for
	// no object that the policy could see. An empty row has none.
	Cells string `json:"cells,omitempty"`
}

// Data writes the matrix for the script.
func (m Matrix) Data(q CoverageQuery) MatrixData {
	d := MatrixData{By: q.By, Shown: m.shown(q), Columns: make([]MatrixDataColumn, 0, len(m.Columns)), Rows: make([]MatrixDataRow, 0, len(m.Rows))}
	for _, c := range m.Columns {
		d.Columns = append(d.Columns, MatrixDataColumn{
			ID: c.ID, Name: c.Title, Kind: c.Policy.Kind, Href: c.Href, Mark: string(markCode(c.Total)), Total: markSays(c.Total),
		})
	}
	for _, r := range m.Rows {
		row := MatrixDataRow{Key: r.Key, Title: r.Title, Href: r.Href, Objects: r.Objects, Missed: r.Reach.Unreached, Empty: r.Empty}
		if !r.Empty {
			cells := make([]byte, len(r.Cells))
			for i, c := range r.Cells {
				cells[i] = markCode(c)
			}
			row.Cells = string(cells)
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// policyTitle names a policy in a word or two: by its entry, too, where its object has several.
func policyTitle(c *Catalog, e *Entry) string {
	name := policyName(e.Policy.Namespace, e.Policy.Name)
	g := c.Group(e.Policy.Kind, name)
	if e.Policy.Entry == "" || g == nil || len(g.Entries) == 1 {
		return name
	}
	return name + ": " + e.Policy.Entry
}

// shown says how much of the matrix a filter leaves.
func (m Matrix) shown(q CoverageQuery) string {
	one, more := "namespace", "namespaces"
	if q.By == ByResource {
		one, more = "resource", "resources"
	}
	if !q.Filtered() {
		return many(m.Policies, "policy", "policies") + " by " + many(m.AllRows, one, more)
	}
	return count(len(m.Columns)) + " of " + many(m.Policies, "policy", "policies") + " by " + count(len(m.Rows)) + " of " + many(m.AllRows, one, more)
}

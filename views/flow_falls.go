package views

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowAsk is what everybody is taken to ask for, as the form has it.
type FlowAsk struct {
	Resource, Namespace, Path string
	// All is whether all namespaces are asked for at once.
	All bool
	// Target is what the fields come to, and Problem why they come to nothing. Everywhere
	// says that the target is in all namespaces, and not in none.
	Target     flow.Target
	Everywhere bool
	Problem    string
}

// FlowFalls is who falls where: identities against the schemas that any of them falls in.
type FlowFalls struct {
	Ask     FlowAsk
	Lede    Sentence
	Columns []FallColumn
	Groups  []FallGroup
}

// FallColumn is a schema that somebody falls in, or without an address another end of a
// request's way.
type FallColumn struct{ Name, Href, Precedence string }

// FallGroup is the service accounts, or all others.
type FallGroup struct {
	Title string
	Rows  []FallRow
}

// FallRow is those whose requests fall alike.
type FallRow struct {
	// Count says how many service accounts they are; it is empty for others.
	Count string
	Who   names
	Odd   bool
	// Cells belong to the columns.
	Cells []FallCell
}

// FallCell is the verbs with which the requests of a row fall in the schema of a column.
type FallCell struct {
	// Verbs is "all" where they are all there are.
	Verbs []string
	Href  string
	Odd   bool
}

// NewFlowFalls lays out a matrix.
func NewFlowFalls(o *flow.Order, who []flow.Identity, ask FlowAsk) *FlowFalls {
	f := &FlowFalls{Ask: ask}
	if ask.Problem != "" {
		return f
	}
	m := o.Falls(who, ask.Target)
	if ask.Everywhere {
		// No request creates or changes something in all namespaces.
		m = onlyVerbs(m, "list", "watch")
	}
	ends := fallEnds(o, m)
	for _, e := range ends {
		f.Columns = append(f.Columns, e.column)
	}
	accounts, others := FallGroup{Title: "Service accounts"}, FallGroup{Title: "Users and groups"}
	ofNamespace := firstOfNamespace(who)
	for i := range m.Rows {
		row := newFallRow(&m, &m.Rows[i], ends, &ask.Target, ofNamespace)
		if row.Count != "" {
			accounts.Rows = append(accounts.Rows, row)
		} else {
			others.Rows = append(others.Rows, row)
		}
	}
	for _, g := range []FallGroup{accounts, others} {
		if len(g.Rows) > 0 {
			f.Groups = append(f.Groups, g)
		}
	}
	f.Lede = fallsLede(m, &ask)
	return f
}

// fallEnd is a place where requests of a matrix end.
type fallEnd struct {
	column FallColumn
	is     func(flow.Fall) bool
}

// fallEnds are the places where any request ends, the schemas in their order.
func fallEnds(o *flow.Order, m flow.Matrix) []fallEnd {
	var ends []fallEnd
	for _, s := range o.Schemas {
		ends = append(ends, fallEnd{
			FallColumn{Name: s.Name, Href: schemaHref(s.Name), Precedence: precedence(s)},
			func(f flow.Fall) bool { return f.Schema == s },
		})
	}
	ends = append(ends,
		fallEnd{FallColumn{Name: "not classified"}, func(f flow.Fall) bool { return f.Bypass != "" }},
		fallEnd{FallColumn{Name: "not known"}, func(f flow.Fall) bool { return len(f.Missing) > 0 }},
	)
	return slices.DeleteFunc(ends, func(e fallEnd) bool {
		return !slices.ContainsFunc(m.Rows, func(r flow.Row) bool { return slices.ContainsFunc(r.Falls, e.is) })
	})
}

func newFallRow(m *flow.Matrix, r *flow.Row, ends []fallEnd, target *flow.Target, ofNamespace map[string]flow.Identity) FallRow {
	row := FallRow{Who: newNames(fallNames(r)), Odd: r.StandsOut}
	if isAccounts(r) {
		row.Count = many(r.Count, "service account", "service accounts")
	}
	who := oneOf(r, ofNamespace)
	for _, end := range ends {
		var verbs []string
		var cell FallCell
		for i, f := range r.Falls {
			if end.is(f) {
				verbs, cell.Odd = append(verbs, m.Verbs[i]), cell.Odd || f.StandsOut
			}
		}
		if len(verbs) > 0 {
			cell.Verbs, cell.Href = verbs, lineHref(digestLine(fallDigest(&who, target, verbs[0])))
			if len(verbs) == len(m.Verbs) {
				cell.Verbs = []string{"all"}
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// fallDigest is one request of a row.
func fallDigest(who *flow.Identity, t *flow.Target, verb string) *flow.Digest {
	d := &flow.Digest{
		User: who.User, Groups: who.Groups, Verb: verb, Path: t.Path,
		APIGroup: t.APIGroup, Resource: t.Resource, Subresource: t.Subresource, Namespace: t.Namespace,
	}
	if t.Own && who.Namespace != "" {
		d.Namespace = who.Namespace
	}
	return d
}

package views

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowPage is the FlowSchemas in the order in which the API server asks them.
type FlowPage struct {
	Lede Sentence
	// Unknown says why nothing is known about FlowSchemas; the page then shows nothing else.
	Unknown string
	// Notes are what could not be read and bears on the page.
	Notes []string
	// Never is what no request falls in: schemas as a whole, and behind them parts of others.
	Never []FlowNever
	Rows  []FlowRow
	// Falls is who falls where; nil where that is not asked.
	Falls *FlowFalls
}

// fewNevers is how many findings are shown without being asked for.
const fewNevers = 8

// FlowRow is one FlowSchema in the list.
type FlowRow struct {
	// ID is the fragment of the row's address.
	ID, Name, Href, Precedence string
	Origin                     FlowOrigin
	Sentence                   Sentence
	Level                      FlowLevel
	// Never leads to what of the schema no request falls in, the gravest first.
	Never []FlowNever
	// Ring is how the schema is drawn on the line that requests fall along.
	Ring string
}

// NewFlowPage shows what is known about FlowSchemas.
func NewFlowPage(a *FlowAnalysis, unknown string, notes []string) FlowPage {
	page := FlowPage{Notes: notes}
	if a == nil {
		page.Unknown = unknown
		return page
	}
	for _, r := range a.Reaches {
		row := newFlowRow(r)
		page.Rows = append(page.Rows, row)
		page.Never = append(page.Never, row.Never...)
	}
	slices.SortStableFunc(page.Never, func(a, b FlowNever) int {
		switch {
		case a.Whole == b.Whole:
			return 0
		case a.Whole:
			return -1
		}
		return 1
	})
	page.Lede = flowLede(page)
	return page
}

func newFlowRow(r flow.Reach) FlowRow {
	s := r.Schema
	row := FlowRow{
		ID: "schema-" + s.Name, Name: s.Name, Href: schemaHref(s.Name), Precedence: precedence(s),
		Origin: newFlowOrigin(s), Sentence: takes(s.FlowSchema), Level: newFlowLevel(s), Never: newFlowNevers(r), Ring: "in",
	}
	for _, n := range row.Never {
		if n.Whole {
			row.Ring = n.Verdict.Class
		}
	}
	return row
}

// flowLede sums the schemas up.
func flowLede(p FlowPage) Sentence {
	own, never := 0, 0
	for _, r := range p.Rows {
		if r.Origin.Word == added {
			own++
		}
		if r.Ring == "err" {
			never++
		}
	}
	s := Sentence{}.plain("A request falls in the first of ").strong(many(len(p.Rows), "FlowSchema", "FlowSchemas")).plain(" that matches it. ")
	s = s.plain(count(len(p.Rows)-own) + " come with Kubernetes, ")
	if own == 0 {
		s = s.plain("and none was added.")
	} else {
		s = s.plain(many(own, "was", "were") + " added.")
	}
	if never > 0 {
		s = s.plain(" ").strong(many(never, "takes no request at all", "take no request at all")).plain(".")
	}
	return s
}

package views

import (
	"slices"
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// CellQuery is what the address of a cell says.
type CellQuery struct {
	Asked
	Policy string
	// By is ByResource if Row is a resource; else Row is a namespace.
	By, Row string
	// Outcome and Layer choose among the objects.
	Outcome, Layer string
	Page           int
}

func (q CellQuery) href(change func(*CellQuery)) string {
	change(&q)
	v := q.values()
	v.Set("policy", q.Policy)
	if q.By == ByResource {
		v.Set(ByResource, q.Row)
	} else {
		v.Set("namespace", q.Row)
	}
	set(v, "outcome", q.Outcome)
	set(v, "layer", q.Layer)
	if q.Page > 0 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	return href("/coverage/cell", v)
}

// Export is the address of the same list as a file.
func (q CellQuery) Export(format string) string {
	q.Page = 0
	return q.href(func(*CellQuery) {}) + "&format=" + format
}

// CellPage is the objects behind a cell of the matrix.
type CellPage struct {
	Query  CellQuery
	State  PopulationState
	Policy string
	Where  string
	Href   string
	Lede   Sentence
	Parts  []CellPart
	Rows   []ObjectRow
	Paging Paging
}

// CellPart is the objects for which the policy ends in one way.
type CellPart struct {
	Verdict
	// At is the layer that decided.
	At, Href string
	Count    int
	Chosen   bool
}

// ObjectRow is one object and how a policy ends for it.
type ObjectRow struct {
	coverage.Object
	Href string
	// Explore leads to the explore page with the object, where it can be had.
	Explore string
	Verdict
	At string
}

// objectsPerPage is how many objects one page lists.
const objectsPerPage = 100

// NewCellPage lists the objects of a namespace or a resource under a policy.
func NewCellPage(c *Catalog, r *coverage.Result, state PopulationState, q CellQuery, which coverage.Which) CellPage {
	index := r.Index(q.Policy)
	policy := r.Policy(index)
	page := CellPage{Query: q, State: state, Policy: policy.Name, Where: "in " + q.Row}
	if e := c.Entry(policy); e != nil {
		page.Policy, page.Href = policyTitle(c, e), e.Href
	}
	var counts coverage.Counts
	switch {
	case which.Resource != nil:
		counts, page.Where = r.Of(index, *which.Resource), "over "+q.Row
	case *which.Namespace == "":
		counts, page.Where = r.In(index, ""), outside
	default:
		counts = r.In(index, *which.Namespace)
	}
	page.Lede = cellLede(counts, page.Where)
	parts := map[scope.Ending]int{}
	var listed []ObjectRow
	for o, ending := range r.Objects(index, which) {
		key := scope.Ending{Outcome: ending.Outcome, DecidedBy: ending.DecidedBy}
		parts[key]++
		if (q.Outcome == "" || q.Outcome == string(ending.Outcome)) && (q.Layer == "" || q.Layer == string(ending.DecidedBy)) {
			listed = append(listed, ObjectRow{o, ObjectHref(q.Asked, o), ExploreHref(q.Asked, o, state.Contents), endingVerdict(ending.Outcome), titles[ending.DecidedBy]})
		}
	}
	page.parts(parts)
	page.Paging = newPaging(len(listed), objectsPerPage, q.Page, func(at int) string { return q.href(func(q *CellQuery) { q.Page = at }) })
	page.Rows = listed[page.Paging.from:page.Paging.to]
	return page
}

// CellObjects are all objects of a cell, for a file.
func CellObjects(r *coverage.Result, q CellQuery, which coverage.Which) func(yield func(coverage.Object, scope.Ending) bool) {
	return func(yield func(coverage.Object, scope.Ending) bool) {
		which.Outcome, which.Layer = scope.Outcome(q.Outcome), scope.LayerName(q.Layer)
		r.Objects(r.Index(q.Policy), which)(yield)
	}
}

// parts lists the ways in which the policy ends, the most frequent first.
func (p *CellPage) parts(counts map[scope.Ending]int) {
	for ending, n := range counts {
		q := p.Query
		chosen := q.Outcome == string(ending.Outcome) && q.Layer == string(ending.DecidedBy)
		p.Parts = append(p.Parts, CellPart{
			Verdict: endingVerdict(ending.Outcome), At: titles[ending.DecidedBy], Count: n, Chosen: chosen,
			Href: q.href(func(q *CellQuery) {
				q.Page, q.Outcome, q.Layer = 0, string(ending.Outcome), string(ending.DecidedBy)
			}),
		})
	}
	slices.SortFunc(p.Parts, func(a, b CellPart) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		if a.Word+a.At < b.Word+b.At {
			return -1
		}
		return 1
	})
}

// cellLede says in a sentence how much of the objects the policy reaches.
func cellLede(c coverage.Counts, where string) Sentence {
	n := int(c.Applicable)
	reached := int(c.Included + c.Error)
	s := Sentence{}
	switch c.Mark() {
	case coverage.NotApplicable:
		return s.plain("There is ").strong("nothing " + where).plain(" that the rules of this policy name.")
	case coverage.Full:
		s = s.plain("Reaches ").strong("all " + count(reached)).plain(" objects " + where + " that it could.")
		if n == 1 {
			s = Sentence{}.plain("Reaches ").strong("the one object").plain(" " + where + " that it could.")
		}
	case coverage.None:
		s = s.plain("Reaches ").strong("none").plain(" of the " + many(n, "object", "objects") + " " + where + " that its rules name.")
	default:
		s = s.plain("Reaches ").strong(count(reached) + " of " + many(n, "object", "objects")).plain(" " + where + " that its rules name.")
	}
	if c.Error > 0 {
		s = s.plain(" For " + many(int(c.Error), "of them it fails", "of them it fails") + ".")
	}
	if c.Unknown > 0 {
		s = s.plain(" For ").strong(count(int(c.Unknown))).plain(" that cannot be told.")
	}
	return s
}

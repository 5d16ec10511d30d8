package views

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// NamespaceReachPage is what applies in a namespace.
type NamespaceReachPage struct {
	Asked
	// Name is empty for what is outside of namespaces.
	Name   string
	Lede   Sentence
	State  PopulationState
	Labels []string
	// Known says that the Namespace itself has been seen, and not only objects in it.
	Known bool
	Rows  []PolicyReach
}

// PolicyReach is what one policy reaches of some objects.
type PolicyReach struct {
	*Entry
	Title, Objects string
	Counts         coverage.Counts
}

// NewNamespaceReachPage says of every policy what it reaches in a namespace, those that
// reach something first.
func NewNamespaceReachPage(c *Catalog, r *coverage.Result, state PopulationState, a Asked, name string, ns *corev1.Namespace) NamespaceReachPage {
	page := NamespaceReachPage{Asked: a, Name: name, State: state, Known: ns != nil}
	if ns != nil {
		for _, key := range sortedKeys(ns.Labels) {
			page.Labels = append(page.Labels, key+"="+ns.Labels[key])
		}
	}
	if r == nil {
		return page
	}
	reaching := 0
	for _, col := range matrixColumns(c, r) {
		row := PolicyReach{Entry: col.Entry, Title: col.Title, Counts: r.In(col.index, name), Objects: CellHref(a, col.ID, "", orNone(name))}
		if row.Counts.Included+row.Counts.Error > 0 {
			reaching++
		}
		page.Rows = append(page.Rows, row)
	}
	slices.SortStableFunc(page.Rows, func(a, b PolicyReach) int { return cmp.Compare(markRank(a.Counts), markRank(b.Counts)) })
	page.Lede = namespaceLede(r, state, name, reaching)
	return page
}

// markRank orders marks for a list: what reaches something first.
func markRank(c coverage.Counts) int {
	return slices.Index([]coverage.Mark{coverage.Full, coverage.Partial, coverage.NotKnown, coverage.None, coverage.NotApplicable}, c.Mark())
}

func namespaceLede(r *coverage.Result, state PopulationState, name string, reaching int) Sentence {
	reach := r.ReachIn(name)
	n := reach.Reached + reach.Unknown + reach.Unreached
	if n == 0 && !state.whole() {
		return Sentence{}.strong("No objects").plain(" of this namespace have been read, and not all have been that there may be.")
	}
	if n == 0 {
		return Sentence{}.strong("No objects").plain(" are in this namespace, so no policy reaches anything here.")
	}
	verb := " reach something here."
	if reaching == 1 {
		verb = " reaches something here."
	}
	s := Sentence{}.strong(count(reaching) + " of " + many(r.Len(), "policy", "policies")).plain(verb)
	s = s.plain(" Of " + many(n, "object", "objects") + ", ")
	switch {
	case reach.Unreached > 0:
		s = s.strong(count(reach.Unreached)).plain(" are reached by none.")
		if reach.Unreached == 1 {
			s[len(s)-1].Text = " is reached by none."
		}
	case reach.Unknown > 0:
		s = s.plain("it cannot be told for " + count(reach.Unknown) + " whether one reaches them.")
	default:
		s = s.plain("each is reached by some policy.")
	}
	return s
}

func (p NamespaceReachPage) title() string {
	if p.Name == "" {
		return capital(outside)
	}
	return p.Name
}

// Export is the address of the same table as a file.
func (p NamespaceReachPage) Export(format string) string {
	v := p.values()
	v.Set("format", format)
	return href("/coverage/namespaces/"+orNone(p.Name), v)
}

package views

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// UnreachedPage is the objects and namespaces that no policy reaches.
type UnreachedPage struct {
	UnreachedQuery
	State PopulationState
	Lede  Sentence
	// Namespaces are those in which nothing is reached, Unknown those in which nothing is
	// certainly reached.
	Namespaces, Unknown []NamespaceCount
	Resources           []UnreachedResource
	Rows                []ObjectRow
	Paging              Paging
}

// UnreachedQuery is what the address of the page says.
type UnreachedQuery struct {
	Asked
	Resource string
	Page     int
}

// NamespaceCount is a namespace with its number of objects.
type NamespaceCount struct {
	Title, Href string
	Count       int
}

// UnreachedResource is how many objects of a resource no policy reaches.
type UnreachedResource struct {
	Name, Href string
	Count, Of  int
	Chosen     bool
}

// NewUnreachedPage lists what no policy reaches.
func NewUnreachedPage(r *coverage.Result, state PopulationState, q UnreachedQuery) UnreachedPage {
	page := UnreachedPage{UnreachedQuery: q, State: state}
	if r == nil {
		return page
	}
	for _, name := range r.Population().Namespaces() {
		reach := r.ReachIn(name)
		n := NamespaceCount{name, NamespaceHref(q.Asked, name), reach.Unreached + reach.Unknown}
		switch {
		case name == "" || reach.Reached > 0:
		case reach.Unknown > 0:
			page.Unknown = append(page.Unknown, n)
		default:
			page.Namespaces = append(page.Namespaces, n)
		}
	}
	for _, resource := range r.Population().Resources() {
		reach := r.ReachOf(resource)
		if reach.Unreached == 0 {
			continue
		}
		name := resource.GroupResource().String()
		page.Resources = append(page.Resources, UnreachedResource{
			Name: name, Href: q.href(name, 0), Count: reach.Unreached, Of: r.Population().Count(resource), Chosen: name == q.Resource,
		})
	}
	slices.SortStableFunc(page.Resources, func(a, b UnreachedResource) int { return cmp.Compare(b.Count, a.Count) })
	page.list(r)
	page.Lede = unreachedLede(r, page)
	return page
}

// list fills in the objects of the page.
func (p *UnreachedPage) list(r *coverage.Result) {
	total := r.Reach().Unreached
	for _, resource := range p.Resources {
		if resource.Chosen {
			total = resource.Count
		}
	}
	p.Paging = newPaging(total, objectsPerPage, p.Page, func(page int) string { return p.href(p.Resource, page) })
	at := 0
	for o := range r.Unreached() {
		if p.Resource != "" && o.Resource.GroupResource().String() != p.Resource {
			continue
		}
		if at >= p.Paging.to {
			return
		}
		if at >= p.Paging.from {
			p.Rows = append(p.Rows, ObjectRow{Object: o, Href: ObjectHref(p.Asked, o), Explore: ExploreHref(p.Asked, o, p.State.Contents)})
		}
		at++
	}
}

func (q UnreachedQuery) href(resource string, page int) string {
	v := q.values()
	set(v, "resource", resource)
	if page > 0 {
		v.Set("page", strconv.Itoa(page))
	}
	return href("/coverage/unreached", v)
}

// Export is the address of the same list as a file.
func (q UnreachedQuery) Export(format string) string {
	v := q.values()
	set(v, "resource", q.Resource)
	v.Set("format", format)
	return href("/coverage/unreached", v)
}

func unreachedLede(r *coverage.Result, p UnreachedPage) Sentence {
	reach := r.Reach()
	n := r.Population().Len()
	if reach.Unreached == 0 {
		s := Sentence{}.strong("Every object").plain(" is reached by some policy, as " + writeOf(r.Ask()) + " of it would be seen.")
		if reach.Unknown > 0 {
			s = Sentence{}.plain("No object is certainly out of reach. For ").strong(many(reach.Unknown, "object", "objects")).plain(" it cannot be told.")
		}
		return s
	}
	s := Sentence{}.strong(count(reach.Unreached) + " of " + many(n, "object", "objects")).plain(" are reached by no policy, as " + writeOf(r.Ask()) + " of each would be seen.")
	if len(p.Namespaces) > 0 {
		s = s.plain(" In ").strong(many(len(p.Namespaces), "namespace", "namespaces")).plain(" no policy reaches anything.")
	}
	return s
}

package server

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/views"
)

// noObjects answers for a page about objects where none were read.
func noObjects() error {
	return missing("The objects of this source have not been read, so there is nothing to say about single ones.")
}

// coverageCell lists the objects behind a cell of the matrix. With part=true it sends what
// the matrix shows below itself.
func (s *server) coverageCell(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "", "/coverage")
	c, asked, err := s.coveredFor(r)
	if err != nil {
		return err
	}
	if c.result == nil {
		return noObjects()
	}
	q := r.URL.Query()
	query := views.CellQuery{Asked: asked, Policy: q.Get("policy"), Row: q.Get("namespace"), Outcome: q.Get("outcome"), Layer: q.Get("layer"), Page: number(r, "page")}
	var which coverage.Which
	if name := q.Get(views.ByResource); name != "" {
		query.By, query.Row = views.ByResource, name
		resource, ok := resourceOf(c.result.Population(), name)
		if !ok {
			return missing("There are no objects of the resource " + name + ".")
		}
		which.Resource = &resource
	} else {
		namespace := namespaceOf(query.Row)
		which.Namespace = &namespace
	}
	if c.result.Index(query.Policy) < 0 {
		return missing("There is no policy " + query.Policy + " here. It may have been deleted since the link was made.")
	}
	if f := format(r); f != "" {
		return writeTable(w, f, cellTable(c, query, which))
	}
	page := views.NewCellPage(c.Catalog, c.result, populationState(c.Population), query, which)
	if q.Get("part") == "true" {
		s.write(w, r, http.StatusOK, views.CellSection(page))
		return nil
	}
	l.Title = page.Policy
	s.write(w, r, http.StatusOK, views.Cell(l, page))
	return nil
}

// resourceOf finds a resource of which there are objects by its name with its group.
func resourceOf(pop *coverage.Population, name string) (schema.GroupVersionResource, bool) {
	for _, resource := range pop.Resources() {
		if resource.GroupResource().String() == name {
			return resource, true
		}
	}
	return schema.GroupVersionResource{}, false
}

// namespaceOf reads the name of a namespace out of an address.
func namespaceOf(name string) string {
	if name == views.NoNamespace {
		return ""
	}
	return name
}

func cellTable(c *covered, q views.CellQuery, which coverage.Which) table {
	t := table{name: "objects", header: []string{"resource", "namespace", "name", "outcome", "decidedBy", "effect"}}
	t.rows = func(yield func([]any) bool) {
		for o, e := range views.CellObjects(c.result, q, which) {
			if !yield([]any{o.Resource.GroupResource().String(), o.Namespace, o.Name, e.Outcome, e.DecidedBy, e.Effect}) {
				return
			}
		}
	}
	return t
}

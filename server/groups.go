package server

import (
	"net/http"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/views"
)

// grouped is the policies of a snapshot by what their selectors select.
type grouped struct {
	snapshot *cluster.Snapshot
	page     views.GroupsPage
}

// groupsOf bins the policies of a snapshot once, and not once per page.
func (s *server) groupsOf(now *described) views.GroupsPage {
	if g := s.grouped.Load(); g != nil && g.snapshot == now.Snapshot {
		return g.page
	}
	var tally *views.Tally
	if pop := now.Population.Population; pop != nil {
		tally = views.NewTally(pop, now.Namespaces)
	}
	g := &grouped{now.Snapshot, views.NewGroupsPage(now.Catalog, tally, populationState(now.Population))}
	s.grouped.Store(g)
	return g.page
}

// groups shows the policies by what their selectors select.
func (s *server) groups(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "Selector groups", "/groups")
	page := s.groupsOf(s.current())
	if f := format(r); f != "" {
		return writeTable(w, f, groupsTable(page))
	}
	s.write(w, r, http.StatusOK, views.Groups(l, page))
	return nil
}

// groupsTable has a line for each policy of each group.
func groupsTable(page views.GroupsPage) table {
	t := table{name: "groups", header: []string{
		"group", "namespaces", "objects", "empty", "within", "selectedNamespaces", "selectedObjects",
		"kind", "policy", "writtenNamespaceSelector", "writtenObjectSelector",
	}}
	t.rows = func(yield func([]any) bool) {
		for _, g := range page.Groups {
			within := make([]string, 0, len(g.Within))
			for _, ref := range g.Within {
				within = append(within, strings.TrimPrefix(ref.Href, "#"))
			}
			for _, w := range g.Written {
				for _, p := range w.Policies {
					row := []any{
						g.ID, g.Namespace, g.Object, g.Empty, strings.Join(within, " "), g.Selected.Namespaces, g.Selected.Objects,
						p.Kind, p.Title, w.Namespace, w.Object,
					}
					if !yield(row) {
						return
					}
				}
			}
		}
	}
	return t
}

package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/views"
)

// flowPage shows the FlowSchemas in their order.
func (s *server) flowPage(w http.ResponseWriter, r *http.Request) error {
	current := s.current()
	analysis := current.Catalog.Flow()
	page := views.NewFlowPage(analysis, flowUnknown(current.About), flowNotes(current.About))
	if analysis != nil {
		who := flowIdentities(analysis.Order, current.Identities)
		page.Falls = views.NewFlowFalls(analysis.Order, who, flowAsk(r.URL.Query(), current.Facts))
	}
	s.write(w, r, http.StatusOK, views.Flow(s.layout(r, "Flow", "/flow"), page))
	return nil
}

// flowKinds are the plurals of the kinds that the page is made of.
var flowKinds = []string{"FlowSchemas", "PriorityLevelConfigurations", "ServiceAccounts", "ClusterRoleBindings", "RoleBindings"}

// flowNotes are the gaps that bear on flow control, and what is still being read.
func flowNotes(a cluster.About) []string {
	var notes []string
	for _, gap := range a.Gaps {
		if namesAny(gap, flowKinds) {
			notes = append(notes, gap)
		}
	}
	for _, p := range a.Syncing {
		if slices.Contains(flowKinds, p.Name) {
			notes = append(notes, p.Name+" are still being read, so this page is not complete yet.")
		}
	}
	return notes
}

// flowUnknown says why there are no FlowSchemas to show: they are being read, or they
// cannot be.
func flowUnknown(a cluster.About) string {
	for _, p := range a.Syncing {
		if p.Name == flowKinds[0] {
			return "They are still being read for the first time. Load the page again in a moment."
		}
	}
	for _, gap := range a.Gaps {
		if namesAny(gap, flowKinds[:1]) {
			return gap
		}
	}
	return "What was read holds none, and the API server always has some of its own."
}

// namesAny reports whether a sentence is about one of some kinds. RoleBindings are not
// meant by ClusterRoleBindings.
func namesAny(sentence string, kinds []string) bool {
	words := strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(" ,;:.", r) })
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(kinds, word) })
}

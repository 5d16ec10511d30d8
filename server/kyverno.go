package server

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/views"
)

// kyverno shows the webhooks that Kyverno writes, and what sets those of the cluster apart.
func (s *server) kyverno(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "Kyverno", "/kyverno")
	now := s.current()
	page := views.NewKyvernoPage(now.Catalog, kyvernoUnknown(now.About), kyvernoNotes(now.About))
	if now.Catalog.Kyverno() != nil {
		found, edition := s.findings(r.Context())
		page.Find(found)
		l.Findings = edition
	}
	s.write(w, r, http.StatusOK, views.Kyverno(l, page))
	return nil
}

// kyvernoKinds are the plurals of the kinds that the page is made of.
var kyvernoKinds = sync.OnceValue(func() []string {
	var plurals []string
	for _, k := range kyverno.NewCompiler(release.Default).Kinds() {
		plurals = append(plurals, k.Plural)
	}
	return plurals
})

// kyvernoNotes are the gaps that bear on Kyverno.
func kyvernoNotes(a cluster.About) []string {
	var notes []string
	for _, gap := range a.Gaps {
		if slices.ContainsFunc(kyvernoKinds(), func(plural string) bool { return strings.Contains(gap, plural) }) {
			notes = append(notes, gap)
		}
	}
	return notes
}

// kyvernoUnknown says why there is nothing to show.
func kyvernoUnknown(a cluster.About) string {
	for _, p := range a.Syncing {
		if slices.Contains(kyvernoKinds(), p.Name) {
			return "The policies of Kyverno are still being read."
		}
	}
	return "There are no policies of Kyverno in what was read."
}

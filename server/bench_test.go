package server

import (
	"testing"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/views"
)

// many is the sample with its policies as often as it takes to have so many.
func many(b *testing.B, policies int) *server {
	b.Helper()
	source, err := sampleSource()
	if err != nil {
		b.Fatal(err)
	}
	snapshot := *source.Snapshot()
	var all []*scope.Policy
	for len(all) < policies {
		for _, p := range snapshot.Policies.Policies() {
			again := *p
			all = append(all, &again)
		}
	}
	snapshot.Policies = scope.NewSet(all[:policies])
	return &server{Config: Config{Source: cluster.Fixed(&snapshot)}, turns: make(chan struct{}, 1)}
}

// BenchmarkReply is one keystroke: reading the text, deciding, explaining and rendering.
func BenchmarkReply(b *testing.B) {
	s := many(b, 300)
	size := 0
	for b.Loop() {
		r := s.reply(b.Context(), question{Text: podThatOptsOut})
		size = len(r.HTML["result"])
	}
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkPolicies is the list of a thousand policies, filtered.
func BenchmarkPolicies(b *testing.B) {
	s := many(b, 1000)
	c := s.current().Catalog
	b.ResetTimer()
	for b.Loop() {
		s.html(b.Context(), views.Policies(views.Layout{Asset: func(name string) string { return name }}, views.NewPoliciesPage(c, views.Filter{Resource: "pods"})))
	}
}

// BenchmarkCatalog is what a change in a cluster of a thousand policies costs once.
func BenchmarkCatalog(b *testing.B) {
	snapshot := many(b, 1000).Source.Snapshot()
	for b.Loop() {
		views.NewCatalog(snapshot.Policies.Policies(), snapshot.Namespaces)
	}
}

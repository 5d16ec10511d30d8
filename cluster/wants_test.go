package cluster

import (
	"slices"
	"testing"

	"github.com/ambit-k8s/ambit/scope"
)

// problems returns the problems of a snapshot as sentences.
func problems(s *Snapshot) []string {
	var all []string
	for _, p := range s.About.Problems {
		all = append(all, p.String())
	}
	return all
}

// ids returns the policies of admission.
func ids(s *Snapshot) []string {
	return idsOf(s, func(p *scope.Policy) bool { return p.Phase != scope.FlowControl })
}

// flowIDs returns the policies of flow control.
func flowIDs(s *Snapshot) []string {
	return idsOf(s, func(p *scope.Policy) bool { return p.Phase == scope.FlowControl })
}

func idsOf(s *Snapshot, wanted func(*scope.Policy) bool) []string {
	var all []string
	for _, p := range s.Policies.Policies() {
		if wanted(p) {
			all = append(all, p.ID())
		}
	}
	return all
}

// originOf says where a policy comes from.
func originOf(s *Snapshot, id string) string {
	for _, p := range s.Policies.Policies() {
		if p.ID() == id {
			return p.Origin
		}
	}
	return ""
}

// wantCount holds the number of objects of a kind that are said to be there.
func wantCount(t *testing.T, s *Snapshot, kind string, want int) {
	t.Helper()
	for _, c := range s.About.Counts {
		if c.Name == kind {
			if c.Count != want {
				t.Errorf("%d %s are counted, want %d", c.Count, kind, want)
			}
			return
		}
	}
	t.Errorf("%s are not counted: %v", kind, s.About.Counts)
}

// noFlowSchemas is the gap of manifests without FlowSchemas.
const noFlowSchemas = "There are no FlowSchemas among the manifests; those are shown that an API server of Kubernetes 1.37.2 creates by itself."

func wantAll(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func wantPresence(t *testing.T, s *Snapshot, namespace string, want scope.Presence) {
	t.Helper()
	if _, got := s.Facts.Namespaces.Namespace(namespace); got != want {
		t.Errorf("presence of namespace %s is %v, want %v", namespace, got, want)
	}
}

package server

import (
	"net/url"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// TestFlowAsk reads the question of the form: every name that kubectl knows a resource by,
// and a URL that may be that of a resource.
func TestFlowAsk(t *testing.T) {
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query      string
		want       flow.Target
		everywhere bool
	}{
		{"", flow.Target{Resource: "pods", Namespace: "default", Own: true}, false},
		{"namespace=ci", flow.Target{Resource: "pods", Namespace: "ci"}, false},
		{"resource=deploy", flow.Target{APIGroup: "apps", Resource: "deployments", Namespace: "default", Own: true}, false},
		{"resource=pods/log&namespace=ci", flow.Target{Resource: "pods", Subresource: "log", Namespace: "ci"}, false},
		{"all=true", flow.Target{Resource: "pods"}, true},
		{"resource=nodes", flow.Target{Resource: "nodes"}, false},
		{"resource=nodes&all=true", flow.Target{Resource: "nodes"}, false},
		{"path=/metrics", flow.Target{Path: "/metrics"}, false},
		{"path=/metrics&all=true&resource=pods", flow.Target{Path: "/metrics"}, false},
		{"path=/api/v1/namespaces/ci/pods", flow.Target{Resource: "pods", Namespace: "ci"}, false},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if ask := flowAsk(query, source.Snapshot().Facts); ask.Problem != "" || ask.Target != c.want || ask.Everywhere != c.everywhere {
			t.Errorf("%s: %+v", c.query, ask)
		}
	}
}

// TestFlowAskSaysWhatIsWrong keeps what was typed, and the rest of the page.
func TestFlowAskSaysWhatIsWrong(t *testing.T) {
	s := sampleServer(t)
	for _, query := range []string{"resource=podz", "resource=" + url.QueryEscape("pods -A --as 'x"), "path=metrics"} {
		document := page(t, s.URL+"/flow?"+query)
		checkPage(t, document)
		if document.Find("#who .note.err").Length() != 1 || document.Find(".matrix").Length() != 0 || document.Find(".schema").Length() == 0 {
			t.Errorf("%s: %s", query, text(document.Find("#who")))
		}
	}
	if got := page(t, s.URL+"/flow?resource=podz").Find("[name=resource]").AttrOr("value", ""); got != "podz" {
		t.Errorf("what was typed became %q", got)
	}
}

// TestFlowIdentities names nobody twice of those whom every cluster has.
func TestFlowIdentities(t *testing.T) {
	o := &flow.Order{}
	who := flowIdentities(o, cluster.Identities{
		ServiceAccounts: []types.NamespacedName{{Namespace: "ci", Name: "runner"}},
		Users:           []string{"alice", "system:kube-scheduler"}, Groups: []string{"devs", "system:masters", "system:authenticated"},
	})
	names := map[string]int{}
	for _, w := range who {
		names[w.User]++
		for _, g := range w.Groups {
			names[g]++
		}
	}
	for name, want := range map[string]int{"system:serviceaccount:ci:runner": 1, "alice": 1, "devs": 1, "system:kube-scheduler": 1, "system:masters": 1} {
		if names[name] != want {
			t.Errorf("%s is there %d times, want %d", name, names[name], want)
		}
	}
	if want := len(o.WellKnown()) + 3; len(who) != want {
		t.Errorf("%d identities, want %d", len(who), want)
	}
}

// TestFlowShowsTheServiceAccountsOfTheCluster has every one of them in the matrix.
func TestFlowShowsTheServiceAccountsOfTheCluster(t *testing.T) {
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	s := sampleServer(t)
	document := page(t, s.URL+"/flow")
	if document.Find(".matrix .verbs").Length() == 0 || len(source.Snapshot().Identities.ServiceAccounts) == 0 {
		t.Fatalf("the matrix is empty: %s", text(document.Find("#who")))
	}
	if got := document.Find(".matrix tbody").Length(); got != 2 {
		t.Errorf("%d parts, want the service accounts and the others", got)
	}
}

package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
)

// TestFlowShowsTheSample is the page over the sample, whose README says which of its
// FlowSchemas no request falls in.
func TestFlowShowsTheSample(t *testing.T) {
	s := sampleServer(t)
	document := page(t, s.URL+"/flow")
	checkPage(t, document)
	if got := text(document.Find("nav [aria-current]")); got != "Flow" {
		t.Errorf("the navigation stands at %q", got)
	}
	first, last := document.Find(".schema").First(), document.Find(".schema").Last()
	if first.AttrOr("data-schema", "") != "exempt" || last.AttrOr("data-schema", "") != "catch-all" {
		t.Errorf("the order goes from %s to %s", first.AttrOr("data-schema", ""), last.AttrOr("data-schema", ""))
	}
	if document.Find(".never .proof").Length() == 0 || document.Find(".schema.err").Length() == 0 {
		t.Error("what no request falls in is not shown")
	}
	checkPage(t, page(t, s.URL+"/policies/FlowSchema/catch-all"))
	if got := text(page(t, s.URL+"/policies/FlowSchema/catch-all").Find("nav [aria-current]")); got != "Flow" {
		t.Errorf("the page of a schema belongs to %q", got)
	}
}

// TestFlowSaysWhyNothingIsKnown has no FlowSchemas, for one reason or another.
func TestFlowSaysWhyNothingIsKnown(t *testing.T) {
	for _, c := range []struct {
		name  string
		about cluster.About
		want  string
	}{
		{"reading", cluster.About{Syncing: []cluster.Progress{{Name: "FlowSchemas", Count: 3}}}, "They are still being read for the first time. Load the page again in a moment."},
		{"forbidden", cluster.About{Gaps: []string{"Namespaces cannot be read: forbidden; x.", "FlowSchemas cannot be read: forbidden; which of them a request falls in is not known."}}, "FlowSchemas cannot be read: forbidden; which of them a request falls in is not known."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, cluster.Fixed(&cluster.Snapshot{Facts: &scope.Facts{}, Policies: scope.NewSet(nil), About: c.about}))
			document := page(t, s.URL+"/flow")
			checkPage(t, document)
			if got := text(document.Find(".note")); got != c.want {
				t.Errorf("the page says %q", got)
			}
			if n := document.Find(".schema").Length(); n != 0 {
				t.Errorf("%d schemas are shown all the same", n)
			}
			_, body := send(t, newRequest(t, http.MethodGet, s.URL+"/api/v1/flow", ""))
			var answer struct {
				Unknown string
				Schemas []any
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Unknown != c.want || len(answer.Schemas) != 0 {
				t.Errorf("the API says %s (%v)", body, err)
			}
		})
	}
}

// TestFlowSaysWhatIsMissing has FlowSchemas, and not everything else that the page shows.
func TestFlowSaysWhatIsMissing(t *testing.T) {
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	snapshot := *source.Snapshot()
	snapshot.About.Gaps = []string{
		"ValidatingWebhookConfigurations cannot be read: forbidden; some are missing.",
		"ServiceAccounts cannot be read: forbidden; who asks is not known.",
	}
	snapshot.About.Syncing = []cluster.Progress{{Name: "Namespaces", Count: 3}, {Name: "PriorityLevelConfigurations"}}
	document := page(t, serve(t, cluster.Fixed(&snapshot)).URL+"/flow")
	got := document.Find(".problems .note").Map(func(_ int, s *goquery.Selection) string { return text(s) })
	want := []string{snapshot.About.Gaps[1], "PriorityLevelConfigurations are still being read, so this page is not complete yet."}
	if !slices.Equal(got, want) {
		t.Errorf("the page says %q", got)
	}
	if document.Find(".schema").Length() == 0 {
		t.Error("what is known is not shown")
	}
}

// TestAPIFlow is the order as JSON.
func TestAPIFlow(t *testing.T) {
	s := sampleServer(t)
	_, body := send(t, newRequest(t, http.MethodGet, s.URL+"/api/v1/flow", ""))
	var answer apiFlow
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	causes := map[string]bool{}
	for i, schema := range answer.Schemas {
		if i > 0 && schema.MatchingPrecedence < answer.Schemas[i-1].MatchingPrecedence {
			t.Errorf("%s stands behind %s", schema.Name, answer.Schemas[i-1].Name)
		}
		for _, n := range schema.Never {
			causes[string(n.Cause)] = true
			if dangling := schema.PriorityLevelExists == "no"; dangling != (n.Cause == "dangling") {
				t.Errorf("%s: %s, and its priority level exists: %s", schema.Name, n.Cause, schema.PriorityLevelExists)
			}
			if n.Cause == "shadowed" && (len(n.Proof) == 0 || n.Proof[0].By == "") {
				t.Errorf("%s is shadowed without proof", schema.Name)
			}
		}
	}
	if !causes["shadowed"] || !causes["dangling"] || !causes["verb"] {
		t.Errorf("found %v", causes)
	}
}

// TestAPIPoliciesHasFlowSchemas lists them beside the policies of admission.
func TestAPIPoliciesHasFlowSchemas(t *testing.T) {
	s := sampleServer(t)
	_, body := send(t, newRequest(t, http.MethodGet, s.URL+"/api/v1/policies", ""))
	var answer struct{ Policies []apiPolicy }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	for _, p := range answer.Policies {
		if p.Kind == "FlowSchema" && p.Name == "probes" {
			if p.Phase != scope.FlowControl || p.Sentence != "Takes GET of /healthz, /readyz and /livez from anyone." || !strings.Contains(body, `"nonResourceRules"`) {
				t.Errorf("%+v", p)
			}
			return
		}
	}
	t.Error("the FlowSchemas are missing")
}

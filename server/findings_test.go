package server

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// waitForFindings asks the API, which answers when the search is done.
func waitForFindings(t *testing.T, url string) hazard.Document {
	t.Helper()
	response, body := send(t, newRequest(t, http.MethodGet, url+"/api/v1/lint", ""))
	var document hazard.Document
	if err := json.Unmarshal([]byte(body), &document); err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response.Status, err)
	}
	return document
}

// TestFindingsCountObjects has the three pods of production without a team.
func TestFindingsCountObjects(t *testing.T) {
	s := shopServer(t)
	document := waitForFindings(t, s.URL)
	i := slices.IndexFunc(document.Findings, func(f hazard.Finding) bool { return f.Rule == "inclusive-object-selector" })
	if i < 0 {
		t.Fatalf("not found among %d findings", len(document.Findings))
	}
	if f := document.Findings[i]; f.Entry != podsGuard || f.Objects == nil || *f.Objects != 3 || f.Field != "webhooks[0].objectSelector" {
		t.Errorf("the finding is %+v", f)
	}
	guard := page(t, s.URL+guardPage)
	checkPage(t, guard)
	row := guard.Find(`.finding[data-rule="inclusive-object-selector"]`)
	if got := text(row.Find(".concerns")); got != "3 objects" {
		t.Errorf("the page counts %q", got)
	}
	if got, want := row.Find("pre").Text(), "objectSelector:\n  matchExpressions:\n  - key: team\n    operator: Exists"; got != want {
		t.Errorf("the place is\n%s\nwant\n%s", got, want)
	}
	for _, part := range []string{"nothing tells it from one that was checked", "What to do:"} {
		if !strings.Contains(text(row), part) {
			t.Errorf("the finding does not say %q", part)
		}
	}
	if page(t, s.URL+"/policies/ValidatingAdmissionPolicy/limits").Find(`.finding[data-rule="inclusive-object-selector"]`).Length() != 0 {
		t.Error("the finding is on the page of another policy, too")
	}
}

// TestFindingsWithoutObjects are there, and count nothing, where not all pods were read.
func TestFindingsWithoutObjects(t *testing.T) {
	snapshot := shopSnapshot(t, shopObjects)
	snapshot.Population.Resources[0].State = cluster.Missing
	for _, f := range waitForFindings(t, serve(t, cluster.Fixed(snapshot)).URL).Findings {
		if f.Entry == podsGuard && f.Objects != nil {
			t.Errorf("%s counts %d objects of those that were read", f.Rule, *f.Objects)
		}
	}
}

// TestFindingsAreOfTheSamePolicies shows the last findings while it looks again after other
// changes, and none of policies that have changed.
func TestFindingsAreOfTheSamePolicies(t *testing.T) {
	first, again, others := shopSnapshot(t, shopObjects), shopSnapshot(t, nil), shopSnapshot(t, nil)
	again.Policies = first.Policies
	synctest.Test(t, func(t *testing.T) {
		var f finder
		quiet := slog.New(slog.DiscardHandler)
		<-f.start(first, quiet)
		if found, known, _ := f.of(again); !known || len(found) == 0 {
			t.Errorf("%d findings of the same policies, known %t", len(found), known)
		}
		if found, known, _ := f.of(others); known || found != nil {
			t.Errorf("%d findings of other policies", len(found))
		}
		if f.start(first, quiet) != f.last.done {
			t.Error("a search in the same snapshot was started twice")
		}
		<-f.start(others, quiet)
		if _, known, _ := f.of(others); !known {
			t.Error("the other policies were not searched")
		}
	})
}

// TestFindingsHaveEditions holds that only other findings are news, and that a snapshot which
// came during a search is searched next.
func TestFindingsHaveEditions(t *testing.T) {
	first, again, others := shopSnapshot(t, shopObjects), shopSnapshot(t, shopObjects), shopSnapshot(t, nil)
	again.Policies = first.Policies
	synctest.Test(t, func(t *testing.T) {
		var f finder
		quiet := slog.New(slog.DiscardHandler)
		zero, changed := f.news()
		<-f.start(first, quiet)
		<-changed
		one, changed := f.news()
		if one == zero {
			t.Error("the first findings are no news")
		}
		<-f.start(again, quiet)
		if same, _ := f.news(); same != one {
			t.Error("the same findings are news")
		}
		f.start(others, quiet)
		f.start(first, quiet)
		<-changed
		synctest.Wait()
		if two, _ := f.news(); two == one || f.last.snapshot != first {
			t.Errorf("edition %s after %s, the last search was in %p, want %p", two, one, f.last.snapshot, first)
		}
	})
}

// TestFindingsSurviveABrokenSearch lets nobody wait for a search that panicked.
func TestFindingsSurviveABrokenSearch(t *testing.T) {
	var log strings.Builder
	var f finder
	broken := &cluster.Snapshot{Policies: scope.NewSet([]*scope.Policy{nil})}
	<-f.start(broken, slog.New(slog.NewTextHandler(&log, nil)))
	if found, known, _ := f.of(broken); !known || found != nil || !strings.Contains(log.String(), "the search for hazards broke") {
		t.Errorf("%d findings, known %t, the log says %q", len(found), known, log.String())
	}
}

func TestFindingsNamePolicies(t *testing.T) {
	s := sampleServer(t)
	document := waitForFindings(t, s.URL)
	if len(document.Findings) == 0 {
		t.Fatal("nothing was found in the sample")
	}
	f := document.Findings[0]
	row := page(t, s.URL+"/policies/"+f.Kind+"/"+f.Name).Find(".finding").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return s.AttrOr("data-rule", "") == f.Rule
	})
	if !strings.Contains(text(row), strings.Join(strings.Fields(f.Fix), " ")) {
		t.Errorf("the page of %s does not say how to mend %s", f.Name, f.Rule)
	}
}

// TestFindingsOfKyverno has each finding about a webhook once, on the page of the policy and among all.
func TestFindingsOfKyverno(t *testing.T) {
	s := sampleServer(t)
	waitForFindings(t, s.URL)
	for _, path := range []string{"/policies/NamespacedValidatingPolicy/kube-system%2Fagent-priority", "/coverage"} {
		p := page(t, s.URL+path)
		checkPage(t, p)
		said := p.Find(".finding").FilterFunction(func(_ int, s *goquery.Selection) bool {
			return strings.HasSuffix(s.AttrOr("data-rule", ""), "never-called")
		})
		if said.Length() != 1 || p.Find("#findings").Length() != 1 {
			t.Errorf("%s says %d times that the policy is never called, under %d headings", path, said.Length(), p.Find("#findings").Length())
		}
	}
}

package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
)

func TestEveryPageKeepsThePromises(t *testing.T) {
	s := sampleServer(t)
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"/", "/policies?resource=pods", "/policies?text=nothing-of-that-name", "/flow", "/explore", "/about"}
	for _, p := range source.Snapshot().Policies.Policies() {
		paths = append(paths, "/policies/"+p.Kind+"/"+url.PathEscape(strings.TrimPrefix(p.Namespace+"/"+p.Name, "/")), "/explore?policy="+url.QueryEscape(p.ID()))
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) { checkPage(t, page(t, s.URL+path)) })
	}
}

// TestPoliciesListsEveryPolicy leaves out the FlowSchemas, which have a page of their own.
func TestPoliciesListsEveryPolicy(t *testing.T) {
	s := sampleServer(t)
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	document := page(t, s.URL+"/policies")
	rows := document.Find("[data-policy]")
	want := 0
	for _, p := range source.Snapshot().Policies.Policies() {
		if p.Phase != scope.FlowControl {
			want++
		}
	}
	if rows.Length() != want {
		t.Errorf("%d rows, want %d", rows.Length(), want)
	}
	if got := text(document.Find(".lede")); !strings.Contains(got, "1 policy has no binding") || !strings.Contains(got, "1 binding names a policy that does not exist") {
		t.Errorf("the lede hides what has no effect: %s", got)
	}
	idle := document.Find(".policy.idle .verdict").Map(func(_ int, s *goquery.Selection) string { return text(s) })
	if got := strings.Join(idle, ", "); got != "no binding, policy missing" {
		t.Errorf("policies without effect are marked %q", got)
	}
	rows.Each(func(_ int, row *goquery.Selection) {
		if _, known := row.Attr("data-namespaces"); !known || row.AttrOr("data-kind", "") == "" || row.AttrOr("data-text", "") == "" {
			t.Errorf("row %s lacks what the filter of the page reads", row.AttrOr("id", ""))
		}
	})
}

func TestPoliciesFilter(t *testing.T) {
	s := sampleServer(t)
	for _, c := range []struct {
		query      string
		some, none string
	}{
		{"kind=ValidatingWebhookConfiguration", "image-verifier", "baseline-containers"},
		{"resource=pods%2Fexec", "shell-guard", "image-verifier"},
		{"resource=storefronts", "storefront-operator", "image-verifier"},
		{"namespace=shop-dev", "baseline-containers", "image-verifier"},
		{"text=env%3Dprod+SKIP", "image-verifier", "shell-guard"},
	} {
		document := page(t, s.URL+"/policies?"+c.query)
		names := text(document.Find("[data-policy] .name, .group-name"))
		if !strings.Contains(names, c.some) {
			t.Errorf("%s leaves %s out: %s", c.query, c.some, names)
		}
		if strings.Contains(names, c.none) {
			t.Errorf("%s lets %s through: %s", c.query, c.none, names)
		}
	}
}

func TestPolicyShowsItsLayers(t *testing.T) {
	s := sampleServer(t)
	document := page(t, s.URL+"/policies/ValidatingWebhookConfiguration/image-verifier")
	section := document.Find(`[id="pods.image-verifier.fennel.example.com"]`)
	want := "Sees CREATE and UPDATE of pods in namespaces labelled env=prod, unless the object is labelled image-verify.fennel.example.com/skip, when the condition images-are-new holds; refuses on error."
	if got := text(section.Find(".sentence")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var titles []string
	section.Find(".layer h3").Each(func(_ int, h *goquery.Selection) { titles = append(titles, text(h)) })
	if got := strings.Join(titles, ", "); got != "Resource rules, Namespace selector, Object selector, Match conditions" {
		t.Errorf("the layers are %s", got)
	}
	if got := text(section.Find(".chip").First()); got != "env is prod" {
		t.Errorf("the first requirement reads %q", got)
	}
	if got := text(section.Find(".selection dd").First()); got != "checkout-prod, shop-prod, warehouse-prod" {
		t.Errorf("these namespaces pass: %s", got)
	}
	if section.Find(".cel .input").Length() == 0 {
		t.Error("the condition is not highlighted")
	}
	if yaml := document.Find("details.manifest pre").Text(); !strings.Contains(yaml, "name: image-verifier") {
		t.Errorf("the manifest is not there: %.80s", yaml)
	}
}

func TestPolicyShowsItsBindings(t *testing.T) {
	s := sampleServer(t)
	document := page(t, s.URL+"/policies/ValidatingAdmissionPolicy/baseline-containers")
	if got := text(document.Find(`[id="baseline-containers-prod"] .sentence`)); got != "Narrows the policy to requests in namespaces labelled env=prod." {
		t.Errorf("the binding reads %q", got)
	}
	if n := document.Find("details.manifest").Length(); n != 3 {
		t.Errorf("%d manifests, want the policy and its two bindings", n)
	}
}

func TestPolicyEntryLeadsToItsPlace(t *testing.T) {
	s := sampleServer(t)
	response, _ := send(t, newRequest(t, http.MethodGet, s.URL+"/policies/ValidatingAdmissionPolicy/baseline-containers/baseline-containers-prod", ""))
	if got := response.Header.Get("Location"); got != "/policies/ValidatingAdmissionPolicy/baseline-containers#baseline-containers-prod" {
		t.Errorf("it leads to %q", got)
	}
}

func TestAboutNamesWhatIsMissing(t *testing.T) {
	s := serve(t, cluster.Fixed(&cluster.Snapshot{
		Facts: &scope.Facts{}, Policies: scope.NewSet(nil),
		About: cluster.About{Source: "cluster staging-eu", Kind: cluster.Live, Version: "v1.36.1", Gaps: []string{"Namespaces may not be listed."}, Syncing: []cluster.Progress{{Name: "ConfigMaps", Count: 12}}},
	}))
	document := page(t, s.URL+"/about")
	checkPage(t, document)
	if got := text(document.Find(".note")); got != "Namespaces may not be listed." {
		t.Errorf("the gap reads %q", got)
	}
	if got := text(document.Find("#fresh")); got != "● reading cluster staging-eu · v1.36.1 · 12 ConfigMaps so far · 1 gap" {
		t.Errorf("the header reads %q", got)
	}
	for _, blind := range []string{"Aggregated APIs", "Built-in admission plugins", "Policies from files on the API server"} {
		if !strings.Contains(document.Find(".blind").Text(), blind) {
			t.Errorf("the page does not say that Ambit is blind to %s", blind)
		}
	}
	if response, _ := send(t, newRequest(t, http.MethodGet, s.URL+"/readyz", "")); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("ready while reading: %s", response.Status)
	}
}

func TestNoPoliciesAtAll(t *testing.T) {
	s := serve(t, cluster.Fixed(&cluster.Snapshot{Facts: &scope.Facts{}, Policies: scope.NewSet(nil)}))
	document := page(t, s.URL+"/policies")
	checkPage(t, document)
	if got := text(document.Find(".lede")); !strings.Contains(got, "no policies") {
		t.Errorf("the page says %q", got)
	}
}

func TestErrorsAreSentences(t *testing.T) {
	s := sampleServer(t)
	for _, path := range []string{"/nowhere", "/policies/Nothing/at-all", "/explore?example=none", "/policies/ValidatingAdmissionPolicy/baseline-containers/none"} {
		response, body := send(t, newRequest(t, http.MethodGet, s.URL+path, ""))
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, response.Status)
		}
		document := parse(t, body)
		checkPage(t, document)
		if got := text(document.Find(".lede")); !strings.HasSuffix(got, ".") {
			t.Errorf("%s says %q", path, got)
		}
	}
	r := newRequest(t, http.MethodGet, s.URL+"/nowhere", "")
	r.Header.Set("Accept", "application/json")
	if _, body := send(t, r); !strings.HasPrefix(body, `{`) {
		t.Errorf("JSON was asked for, and this came: %.60s", body)
	}
}

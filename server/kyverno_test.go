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
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// edited is the webhook of the sample that somebody edited, as its README tells.
const edited = "vpol.validate.kyverno.svc-fail-58664531"

func TestKyvernoPage(t *testing.T) {
	s := sampleServer(t)
	document := page(t, s.URL+"/kyverno")
	checkPage(t, document)
	if got := text(document.Find("nav [aria-current]")); got != "Kyverno" {
		t.Errorf("the navigation stands at %q", got)
	}
	astray := document.Find(".webhook-card:not([data-state='as predicted'])")
	if name := astray.AttrOr("data-entry", ""); astray.Length() != 1 || name != edited {
		t.Errorf("%d webhooks are not as predicted, the first is %q", astray.Length(), name)
	}
	for _, path := range []string{
		"/policies/NamespacedValidatingPolicy/kube-system%2Fagent-priority", "/policies/ClusterPolicy/service-owner",
		"/policies/NamespacedValidatingPolicy/kube-system%2Fagent-priority/-/objects?layer=webhook.namespaceSelector",
		"/explore?policy=NamespacedValidatingPolicy/kube-system/agent-priority&example=daemon-set-of-an-agent",
	} {
		checkPage(t, page(t, s.URL+path))
	}
}

// TestExploreSaysWhatFiltersLeaveOut has a request of which it is not known whether anything lets it pass unseen.
func TestExploreSaysWhatFiltersLeaveOut(t *testing.T) {
	s := sampleServer(t)
	const service = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop-prod}\n"
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": service, "name": "", "namespace": "", "user": "", "groups": ""})
	steps := row(document, "ClusterPolicy/service-owner").Find(".steps")
	spared := steps.Find(".want.spares").Map(func(_ int, s *goquery.Selection) string { return text(s) })
	if want := []string{"system:nodes", "group fennel:platform-oncall"}; !slices.Equal(spared, want) {
		t.Errorf("it says that %q are left out, want %q", spared, want)
	}
	if unknown := steps.Find(".got.unknown"); unknown.Length() != len(spared) {
		t.Errorf("it is not known of %d requirements whether they hold", unknown.Length())
	}
	if got := steps.Find(".want:not(.spares)"); got.Length() == 0 || strings.Contains(text(got), "system:nodes") {
		t.Errorf("it needs %q", text(got))
	}
}

// TestKyvernoSaysWhatIsMissing has policies, and not everything else that the page shows.
func TestKyvernoSaysWhatIsMissing(t *testing.T) {
	source, err := sampleSource()
	if err != nil {
		t.Fatal(err)
	}
	snapshot := *source.Snapshot()
	const config = "ConfigMaps named kyverno cannot be read: forbidden; what Kyverno filters, and for which namespaces it is called at all, is not known."
	snapshot.About.Gaps = []string{"FlowSchemas cannot be read: forbidden; which of them a request falls in is not known.", config}
	document := page(t, serve(t, cluster.Fixed(&snapshot)).URL+"/kyverno")
	got := document.Find(".problems .note").Map(func(_ int, s *goquery.Selection) string { return text(s) })
	if !slices.Equal(got, []string{config}) {
		t.Errorf("the page says %q", got)
	}
	if document.Find(".webhook-card").Length() == 0 {
		t.Error("what is known is not shown")
	}
}

// TestKyvernoSaysWhyNothingIsKnown has no policies, for one reason or another.
func TestKyvernoSaysWhyNothingIsKnown(t *testing.T) {
	const forbidden = "ValidatingPolicies cannot be read: forbidden; policies of this kind are not shown."
	for _, c := range []struct {
		name, want string
		notes      int
		about      cluster.About
	}{
		{"none", "There are no policies of Kyverno in what was read.", 0, cluster.About{}},
		{"forbidden", "There are no policies of Kyverno in what was read.", 1, cluster.About{Gaps: []string{forbidden}}},
		{"reading", "The policies of Kyverno are still being read.", 0, cluster.About{Syncing: []cluster.Progress{{Name: "ClusterPolicies"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, cluster.Fixed(&cluster.Snapshot{Facts: &scope.Facts{}, Policies: scope.NewSet(nil), About: c.about}))
			document := page(t, s.URL+"/kyverno")
			checkPage(t, document)
			if got := text(document.Find(".lede")); got != c.want || document.Find(".note").Length() != c.notes {
				t.Errorf("the page says %q, with %d notes", got, document.Find(".note").Length())
			}
			_, body := send(t, newRequest(t, http.MethodGet, s.URL+"/api/v1/kyverno", ""))
			var answer apiKyverno
			if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Unknown != c.want || len(answer.Entries) != 0 {
				t.Errorf("the API says %s (%v)", body, err)
			}
			r := newRequest(t, http.MethodGet, s.URL+"/api/v1/webhooks", "")
			r.Header.Set("Accept", "application/json")
			if response, body := send(t, r); response.StatusCode != http.StatusNotFound || !strings.Contains(body, "There are no policies of Kyverno") {
				t.Errorf("the webhooks are %s: %s", response.Status, body)
			}
		})
	}
}

// TestAPIKyverno is the page as JSON.
func TestAPIKyverno(t *testing.T) {
	_, body := send(t, newRequest(t, http.MethodGet, sampleServer(t).URL+"/api/v1/kyverno", ""))
	var answer apiKyverno
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Release != "1.19.1" || !answer.Observed || len(answer.Entries) != 7 {
		t.Errorf("release %q, observed %t, %d entries", answer.Release, answer.Observed, len(answer.Entries))
	}
	if len(answer.Differences) != 1 {
		t.Fatalf("%d differences", len(answer.Differences))
	}
	d := answer.Differences[0]
	if d.Kind != kyverno.Changed || d.Entry != edited || d.Field != "namespaceSelector" || !strings.Contains(d.Observed, "shop-prod") || strings.Contains(d.Predicted, "shop-prod") {
		t.Errorf("the difference is %+v", d)
	}
	if len(answer.Orders) != 0 {
		t.Errorf("chance decides among %d outcomes, although each group has a webhook of its own", len(answer.Orders))
	}
	if len(answer.Findings) == 0 || strings.Contains(body, "null") {
		t.Errorf("the answer is %s", body)
	}
}

// forTeams are two policies that differ in the namespaces they select, as in kyverno/kyverno#15344, and one for them all.
const forTeams = `
{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {team: a}}}
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: for-a}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {team: a}}
    resourceRules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  validations: [{expression: "true"}]
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: for-b}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {team: b}}
    resourceRules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  validations: [{expression: "true"}]
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: for-all}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  validations: [{expression: "true"}]
`

// TestAPIKyvernoOrders has a release in which the policies of a kind share one webhook.
func TestAPIKyvernoOrders(t *testing.T) {
	before, err := release.Parse("1.18.2")
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := cluster.LoadManifests(t.Context(), []string{"-"}, false, strings.NewReader(forTeams), cluster.Options{Kyverno: before})
	if err != nil {
		t.Fatal(err)
	}
	_, body := send(t, newRequest(t, http.MethodGet, serve(t, cluster.Fixed(snapshot)).URL+"/api/v1/kyverno", ""))
	var answer apiKyverno
	if err := json.Unmarshal([]byte(body), &answer); err != nil || strings.Contains(body, "null") {
		t.Fatalf("the answer is %s (%v)", body, err)
	}
	names := func(refs []webhooks.Ref) string {
		all := make([]string, len(refs))
		for i, r := range refs {
			all[i] = r.Name
		}
		return strings.Join(all, ", ")
	}
	var got []string
	for _, o := range answer.Orders {
		if o.Configuration != webhooks.ValidatingName || !slices.Equal(o.Entries, []string{"vpol.validate.kyverno.svc-fail"}) || o.Now {
			t.Errorf("an outcome is %+v", o)
		}
		if selects := o.NamespaceSelector != nil && o.NamespaceSelector.MatchLabels["team"] != ""; selects != (names(o.Winners) != "for-all") {
			t.Errorf("after %s it selects %v", names(o.Winners), o.NamespaceSelector)
		}
		got = append(got, names(o.Winners)+" overwrites "+names(o.Silent)+"; in part "+names(o.Narrowed))
	}
	want := []string{
		"for-a overwrites for-b; in part for-all", "for-b overwrites for-a; in part for-all", "for-all overwrites ; in part ",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the outcomes are %q, want %q", got, want)
	}
}

// TestAPIWebhooks is what "ambit webhooks" prints: a List that could be applied.
func TestAPIWebhooks(t *testing.T) {
	_, body := send(t, newRequest(t, http.MethodGet, sampleServer(t).URL+"/api/v1/webhooks", ""))
	var list struct {
		Kind  string
		Items []struct {
			APIVersion, Kind string
			Metadata         struct{ Name string }
			Webhooks         []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range list.Items {
		for _, w := range i.Webhooks {
			got = append(got, i.Kind+" "+i.Metadata.Name+" "+w.Name)
		}
	}
	// They are the names of the sample's own webhooks, whose suffixes are SHA-256 sums of their selectors.
	const validating, mutating = "ValidatingWebhookConfiguration kyverno-resource-validating-webhook-cfg ", "MutatingWebhookConfiguration kyverno-resource-mutating-webhook-cfg "
	want := []string{
		mutating + "mpol.validate.kyverno.svc-ignore",
		validating + "nvpol.validate.kyverno.svc-fail-35440792", validating + "nvpol.validate.kyverno.svc-fail-fde2257e",
		validating + "validate.kyverno.svc-ignore", validating + edited,
		validating + "vpol.validate.kyverno.svc-fail-finegrained-storefront-markets", validating + "vpol.validate.kyverno.svc-ignore-415e1888",
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || list.Kind != "List" {
		t.Errorf("the %s holds %q", list.Kind, got)
	}
}

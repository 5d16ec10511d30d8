package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// The schemas of a story: one that works, one in its shadow, one without a priority level,
// and one of which a part cannot match.
var (
	lists = flowSpec{"ci-lists", `
matchingPrecedence: 600
priorityLevelConfiguration: {name: workload-low}
distinguisherMethod: {type: ByNamespace}
rules:
- subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: '*'}}]
  resourceRules: [{verbs: [list, watch], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true}]`}
	shadowed = flowSpec{"runner-pods", `
matchingPrecedence: 700
priorityLevelConfiguration: {name: workload-high}
rules:
- subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: runner}}]
  resourceRules: [{verbs: [list], apiGroups: [''], resources: [pods], namespaces: ['*'], clusterScope: true}]`}
	dangling = flowSpec{"batch", `
matchingPrecedence: 1500
priorityLevelConfiguration: {name: batch-low}
rules:
- subjects: [{kind: Group, group: {name: developers}}]
  resourceRules: [{verbs: ['*'], apiGroups: [batch], resources: ['*'], namespaces: [ci]}]`}
	ingest = flowSpec{"ingest", `
matchingPrecedence: 2000
priorityLevelConfiguration: {name: catch-all}
rules:
- subjects: [{kind: User, user: {name: ingest}}]
  nonResourceRules: [{verbs: [create], nonResourceURLs: [/ingest/*]}, {verbs: [get], nonResourceURLs: [/metrics]}]`}
)

// texts is what each element of a selection says.
func texts(s *goquery.Selection, between string) string {
	return strings.Join(s.Map(func(_ int, one *goquery.Selection) string { return text(one) }), between)
}

func flowStory(t *testing.T, complete bool, specs ...flowSpec) *goquery.Document {
	t.Helper()
	policies := schemas(t, complete, specs...)
	page := NewFlowPage(NewCatalog(policies, nil).Flow(), "", nil)
	return rendered(t, flowMain(page))
}

// TestFlowOrder holds the list to the API server's order: by precedence, then by name; what
// is mandatory and not stored is there all the same, exempt first and catch-all last.
func TestFlowOrder(t *testing.T) {
	late, early := ingest, ingest
	late.name, early.name = "b", "a"
	document := flowStory(t, true, late, shadowed, early, lists)
	if got, want := texts(document.Find(".schema .name a"), " "), "exempt ci-lists runner-pods a b catch-all"; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
	for name, want := range map[string]string{"exempt": "mandatory", "ci-lists": "added", "catch-all": "mandatory"} {
		row := document.Find(`[data-schema="` + name + `"]`)
		if got := text(row.Find(".name small")); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
		if got, stored := text(row.Find(".takes .reads")), want == "added"; (got == "It is not stored; the API server uses its own.") == stored {
			t.Errorf("%s says %q", name, got)
		}
	}
	if got := text(document.Find(".lede")); !strings.HasPrefix(got, "A request falls in the first of 6 FlowSchemas that matches it. 2 come with Kubernetes, 4 were added.") {
		t.Errorf("the lede is %s", got)
	}
}

// TestFlowLevels says what the priority levels of Kubernetes do with a request.
func TestFlowLevels(t *testing.T) {
	noFlows, unknown := lists, dangling
	noFlows.name, noFlows.fields = "one-flow", strings.Replace(lists.fields, "distinguisherMethod: {type: ByNamespace}", "", 1)
	document := flowStory(t, false, append(serverSchemas(t), lists, noFlows, unknown)...)
	for name, want := range map[string]string{
		"exempt":         "Priority level exempt · never waits, never refused",
		"catch-all":      "Priority level catch-all · 5 shares, refuses when full",
		"global-default": "Priority level global-default · 20 shares, waits when full · 128 queues, a flow per user",
		"ci-lists":       "Priority level workload-low · 100 shares, waits when full · 128 queues, a flow per namespace",
		"one-flow":       "Priority level workload-low · 100 shares, waits when full · 128 queues, one flow for all",
		"batch":          "Priority level batch-low · cannot tell",
	} {
		if got := texts(document.Find(`[data-schema="`+name+`"] .level`).Children(), " · "); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, want)
		}
	}
	if got := document.Find(".schema .name .added").Length(); got != 3 {
		t.Errorf("%d schemas count as added, want 3", got)
	}
	if changed := document.Find(".schema .name small:contains(changed)"); changed.Length() != 0 {
		t.Errorf("the server's own schemas count as changed: %s", text(changed))
	}
}

func TestFlowNamesWhatWasChanged(t *testing.T) {
	all := serverSchemas(t)
	for i := range all {
		all[i].fields = strings.Replace(all[i].fields, "matchingPrecedence: 9900", "matchingPrecedence: 9901", 1)
	}
	changed := flowStory(t, true, all...).Find(".schema .name small:contains(changed)").Closest(".schema")
	if changed.Length() != 1 || changed.AttrOr("data-schema", "") != "global-default" || text(changed.Find(".name small")) != "suggested, changed" {
		t.Errorf("changed: %s", text(changed))
	}
}

// TestFlowNever shows what no request falls in, above the list and on its row, with the
// proof that goes with it.
func TestFlowNever(t *testing.T) {
	document := flowStory(t, true, append(serverSchemas(t), lists, shadowed, dangling, ingest)...)
	for _, c := range []struct{ name, class, word, says string }{
		{"runner-pods", "err", "never matches", "ci-lists at 600"},
		{"batch", "err", "ignored", "batch-low"},
		{"ingest", "in", "part never matches", "create"},
	} {
		finding := document.Find("#never-" + c.name)
		if got := text(finding.Find(".verdict")); got != c.word {
			t.Errorf("%s: %q, want %q", c.name, got, c.word)
		}
		if got := text(finding.Find(".body > p").First()); !strings.Contains(got, c.says) {
			t.Errorf("%s: %q does not say %q", c.name, got, c.says)
		}
		row := document.Find(`[data-schema="` + c.name + `"]`)
		if !row.HasClass(c.class) || row.Find(`a[href="#never-`+c.name+`"]`).Length() != 1 {
			t.Errorf("the row of %s is %q and leads nowhere", c.name, row.AttrOr("class", ""))
		}
	}
	if n := document.Find(".never").Length(); n != 3 {
		t.Errorf("%d findings, want 3", n)
	}
	if got := text(document.Find(".lede b").Last()); got != "2 take no request at all" {
		t.Errorf("the lede ends with %q", got)
	}
	proof := document.Find("#never-runner-pods .proof tbody tr")
	if proof.Length() != 1 || proof.Find(`a[href="/policies/FlowSchema/ci-lists"]`).Length() != 1 || !strings.Contains(text(proof), "ci/runner") || !strings.Contains(text(proof), "spec.rules[0].resourceRules[0]") {
		t.Errorf("the proof is %s", text(proof))
	}
	if got := document.Find("#never-batch .proof, #never-ingest .proof").Length(); got != 0 {
		t.Error("a proof without steps is shown")
	}
}

// TestFlowFoldsManyFindings counts what is too much to read, and shows those about whole
// schemas first.
func TestFlowFoldsManyFindings(t *testing.T) {
	var all []flowSpec
	for i := range 12 {
		one := ingest
		one.name = fmt.Sprintf("part-%02d", i)
		one.fields = strings.ReplaceAll(ingest.fields, "name: ingest", "name: "+one.name)
		all = append(all, one)
	}
	document := flowStory(t, true, append(all, lists, shadowed, dangling)...)
	if got := text(document.Find(".nevers .fold > summary")); got != "6 more" {
		t.Errorf("the fold says %q", got)
	}
	if got := texts(document.Find(".nevers .never h3 a"), " "); !strings.HasPrefix(got, "runner-pods batch part-00 part-01") {
		t.Errorf("the findings are %s", got)
	}
	if in, out := document.Find(".fold .never").Length(), document.Find(".rows > .never").Length(); in != 6 || out != 8 {
		t.Errorf("%d findings are folded and %d are not, want 6 and 8", in, out)
	}
}

func TestFlowUnknown(t *testing.T) {
	document := rendered(t, flowMain(NewFlowPage(NewCatalog(nil, nil).Flow(), "FlowSchemas cannot be read: forbidden.", nil)))
	if document.Find(".schema").Length() != 0 || text(document.Find(".note")) != "FlowSchemas cannot be read: forbidden." {
		t.Errorf("the page says %s", text(document.Find("main")))
	}
}

// TestFlowPolicyPage is the page of one schema: its layers, its place, and a request that
// falls in it where there is one.
func TestFlowPolicyPage(t *testing.T) {
	c := NewCatalog(schemas(t, true, append(serverSchemas(t), lists, shadowed, ingest)...), nil)
	document := rendered(t, policyMain(NewPolicyPage(c, c.Group("FlowSchema", "ci-lists"))))
	if got := texts(document.Find(".layer h3"), ", "); got != "Subjects, Resource rules, Non-resource rules, Precedence" {
		t.Errorf("the layers are %s", got)
	}
	if got := text(document.Find(".chip")); got != "service account ci/*" {
		t.Errorf("the subject is %q", got)
	}
	if got := texts(document.Find(".rules td"), " · "); got != "list, watch · * · * · every namespace and cluster scope" {
		t.Errorf("the rule is %q", got)
	}
	if got := text(document.Find(".layer").Last()); !strings.Contains(got, "Number 6 of 14, at precedence 600: asked after system-nodes and before runner-pods.") {
		t.Errorf("its place is %q", got)
	}
	if got := text(document.Find(".then")); got != "Its requests go to priority level workload-low, which has 100 shares of what the API server does at a time. What goes beyond waits in 128 queues, with a flow per namespace." {
		t.Errorf("the level is %q", got)
	}
	if got := document.Find(".act a").AttrOr("href", ""); !strings.HasPrefix(got, "/explore?line=") || !strings.Contains(got, "system%3Aserviceaccount%3Aci%3A") {
		t.Errorf("the request to try is %q", got)
	}
	never := rendered(t, policyMain(NewPolicyPage(c, c.Group("FlowSchema", "runner-pods"))))
	if never.Find(".act").Length() != 0 || never.Find(".never .proof tbody tr").Length() != 1 {
		t.Error("a request is offered for a schema that none falls in, or the proof is missing")
	}
	parts := rendered(t, policyMain(NewPolicyPage(c, c.Group("FlowSchema", "ingest"))))
	if got := text(parts.Find(".layer").Eq(1).Find("p")); !strings.Contains(got, "no request for a resource") {
		t.Errorf("without resource rules it says %q", got)
	}
}

// TestDigestLine writes requests as kubectl would be told them.
func TestDigestLine(t *testing.T) {
	for want, d := range map[string]flow.Digest{
		`list pods -A --as 'CN=the robot'\''s' --as-group 'a b'`:                            {User: "CN=the robot's", Groups: []string{"a b"}, Verb: "list", Resource: "pods"},
		"list pods -n ci --as system:serviceaccount:ci:runner":                              {User: "system:serviceaccount:ci:runner", Groups: []string{"system:serviceaccounts"}, Verb: "list", Resource: "pods", Namespace: "ci"},
		"update deployments.apps --subresource scale -n a --as u --as-group g --as-group h": {User: "u", Groups: []string{"g", "h"}, Verb: "update", APIGroup: "apps", Resource: "deployments", Subresource: "scale", Namespace: "a"},
		"get leases.coordination.k8s.io example -n a --as system:serviceaccount:a:b":        {User: "system:serviceaccount:a:b", Verb: "get", APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "a"},
		"watch nodes -A --as system:anonymous":                                              {User: "system:anonymous", Groups: []string{"system:unauthenticated"}, Verb: "watch", Resource: "nodes"},
		"GET /healthz --as u --as-group system:authenticated":                               {User: "u", Groups: []string{"system:authenticated"}, Verb: "get", Path: "/healthz"},
	} {
		if got := digestLine(&d); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

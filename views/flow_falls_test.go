package views

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/scope/flow"
)

var ownPods = FlowAsk{Target: flow.Target{Resource: "pods", Namespace: "default", Own: true}}

// fallsStory is who falls where among the schemas of a cluster.
func fallsStory(t *testing.T, specs []flowSpec, ask FlowAsk, who ...flow.Identity) *goquery.Document {
	t.Helper()
	o := NewCatalog(schemas(t, true, specs...), nil).Flow().Order
	if who == nil {
		who = o.WellKnown()
	}
	return rendered(t, flowFalls(NewFlowFalls(o, who, ask)))
}

// fallen is where the row that names somebody falls: "schema: verbs" for each cell.
func fallen(document *goquery.Document, who string) string {
	columns := document.Find("thead th").Map(func(_ int, s *goquery.Selection) string { return text(s.Find("a")) })
	row := document.Find("tbody tr").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return strings.Contains(text(s.Find("th")), who)
	})
	var all []string
	row.Find("td").Each(func(i int, s *goquery.Selection) {
		if verbs := texts(s.Find(".verbs > span:not(.unseen)"), " "); verbs != "" {
			all = append(all, columns[i+1]+": "+verbs)
		}
	})
	return strings.Join(all, ", ")
}

// TestFallsOfWellKnown holds the matrix to what the API server's own schemas are for
// (k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap).
func TestFallsOfWellKnown(t *testing.T) {
	leases := FlowAsk{Target: flow.Target{APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "default", Own: true}}
	for _, c := range []struct {
		ask       FlowAsk
		who, want string
	}{
		{ownPods, "system:masters", "exempt: all"},
		{ownPods, "a node", "system-nodes: all"},
		{ownPods, "kube-scheduler", "kube-scheduler: all"},
		{ownPods, "not logged in", "global-default: all"},
		{leases, "a node", "system-node-high: all"},
		{leases, "kube-scheduler", "system-leader-election: get create update, kube-scheduler: list watch patch delete"},
		{FlowAsk{Target: flow.Target{Path: "/healthz"}}, "not logged in", "probes: get, global-default: post put patch delete"},
	} {
		if got := fallen(fallsStory(t, serverSchemas(t), c.ask), c.who); got != c.want {
			t.Errorf("%s asks for %s: %s, want %s", c.who, asked(&c.ask), got, c.want)
		}
	}
}

// TestFallsHasOnlyColumnsThatSomebodyFallsIn keeps the order of the schemas.
func TestFallsHasOnlyColumnsThatSomebodyFallsIn(t *testing.T) {
	document := fallsStory(t, append(serverSchemas(t), lists, shadowed), ownPods, flow.AccountIdentity("ci", "runner"), flow.UserIdentity("alice"))
	if got := texts(document.Find("thead th a"), " "); got != "ci-lists service-accounts global-default" {
		t.Errorf("the columns are %s", got)
	}
	if got := fallen(document, "ci/*"); got != "ci-lists: list watch, service-accounts: get create update patch delete" {
		t.Errorf("the runner falls in %s", got)
	}
}

// TestFallsStandOut is a cluster without the schema for service accounts.
func TestFallsStandOut(t *testing.T) {
	var without []flowSpec
	for _, s := range serverSchemas(t) {
		if s.name != "service-accounts" {
			without = append(without, s)
		}
	}
	who := []flow.Identity{flow.AccountIdentity("kube-system", "dns"), flow.AccountIdentity("shop", "web"), flow.AccountIdentity("shop", "api"), flow.UserIdentity("alice")}
	document := fallsStory(t, without, ownPods, who...)
	odd := document.Find("tr.odd")
	if got := text(odd.Find(".who")); odd.Length() != 1 || got != "shop/* (2)" || text(odd.Find(".verdict")) != "stands out" || odd.Find(".verbs.odd").Length() != 1 {
		t.Errorf("%d rows stand out: %s", odd.Length(), text(odd))
	}
	if got := text(document.Find(".then")); !strings.Contains(got, "2 service accounts of 3 fall in global-default or catch-all") {
		t.Errorf("the sentence is %q", got)
	}
	usual := fallsStory(t, serverSchemas(t), ownPods, who...)
	if got := text(usual.Find(".then")); usual.Find(".odd").Length() != 0 || !strings.Contains(got, "None of 3 service accounts falls") {
		t.Errorf("with the schema for them: %q", got)
	}
}

// TestFallsEverywhere has no verbs that no request to all namespaces has.
func TestFallsEverywhere(t *testing.T) {
	ask := FlowAsk{Everywhere: true, Target: flow.Target{Resource: "pods"}}
	who := []flow.Identity{flow.AccountIdentity("ci", "runner"), flow.AccountIdentity("shop", "web"), flow.UserIdentity("alice")}
	gets := lists
	gets.name, gets.fields = "shop-gets", strings.NewReplacer("namespace: ci", "namespace: shop", "[list, watch]", "[get]").Replace(lists.fields)
	document := fallsStory(t, append(serverSchemas(t), lists, gets), ask, who...)
	if got := fallen(document, "ci/*"); got != "ci-lists: all" {
		t.Errorf("the runner falls in %s", got)
	}
	if got := texts(document.Find("thead th a"), " "); got != "ci-lists service-accounts global-default" {
		t.Errorf("the columns are %s", got)
	}
}

// TestFallsPutsTogetherWhoDiffersInLeftOutVerbs has two accounts that only reads of one
// object tell apart.
func TestFallsPutsTogetherWhoDiffersInLeftOutVerbs(t *testing.T) {
	ask := FlowAsk{Everywhere: true, Target: flow.Target{Resource: "pods"}}
	gets := lists
	gets.fields = strings.Replace(lists.fields, "[list, watch]", "[get]", 1)
	who := []flow.Identity{flow.AccountIdentity("ci", "runner"), flow.AccountIdentity("shop", "web")}
	document := fallsStory(t, append(serverSchemas(t), gets), ask, who...)
	if rows := document.Find("tbody td").Closest("tr"); rows.Length() != 1 || text(rows.Find("th b")) != "2 service accounts" {
		t.Errorf("%d rows: %s", rows.Length(), text(rows))
	}
}

// TestFallsBypass has requests that are not classified.
func TestFallsBypass(t *testing.T) {
	ask := ownPods
	ask.Target.Subresource = "exec"
	document := fallsStory(t, serverSchemas(t), ask, flow.UserIdentity("alice"))
	if got := texts(document.Find("thead th"), ", "); !strings.HasSuffix(got, "not classified") {
		t.Errorf("the columns are %s", got)
	}
}

// TestFallsLeadToExplore asks about one request of a cell.
func TestFallsLeadToExplore(t *testing.T) {
	document := fallsStory(t, append(serverSchemas(t), lists), ownPods, flow.AccountIdentity("ci", "runner"))
	for i, want := range []string{
		"list pods -n ci --as system:serviceaccount:ci:runner",
		"get pods example -n ci --as system:serviceaccount:ci:runner",
	} {
		href, err := url.Parse(document.Find(".verbs").Eq(i).AttrOr("href", ""))
		if err != nil || href.Path != "/explore" || href.Query().Get("line") != want {
			t.Errorf("cell %d leads to %s, want %s", i, href, want)
		}
	}
}

// TestFallsStayReadable has more accounts than anybody reads: as few rows as there are ways
// to fall, and names to unfold up to a bound.
func TestFallsStayReadable(t *testing.T) {
	var who []flow.Identity
	for i := range 5000 {
		who = append(who, flow.AccountIdentity(fmt.Sprintf("ns-%d", i%1000), fmt.Sprintf("sa-%d", i)))
	}
	document := fallsStory(t, append(serverSchemas(t), lists), ownPods, append(who, flow.AccountIdentity("ci", "runner"))...)
	rows := document.Find("tbody td").Closest("tr")
	if rows.Length() != 2 || text(rows.First().Find("b")) != "5,000 service accounts" {
		t.Errorf("%d rows, the first of %s", rows.Length(), text(rows.First().Find("b")))
	}
	who1 := text(rows.First().Find(".who"))
	if n := strings.Count(who1, "/* (5)"); n != mostNames || !strings.HasSuffix(who1, "and 700 more") {
		t.Errorf("%d namespaces are named, and then %s", n, who1[len(who1)-20:])
	}
}

package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/ambit-k8s/ambit/cluster"
)

// defaultsServer has the FlowSchemas that every API server creates
// (k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap), and the given manifests.
func defaultsServer(t *testing.T, manifests string) *httptest.Server {
	t.Helper()
	namespace := "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n---\n"
	snapshot, err := cluster.LoadManifests(t.Context(), []string{"-"}, false, strings.NewReader(namespace+manifests), cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, cluster.Fixed(snapshot))
}

func lineURL(s *httptest.Server, line string) string {
	return s.URL + "/explore?line=" + url.QueryEscape(line)
}

// rowsOf lists the schemas of the answer with their verdicts, in order.
func rowsOf(document *goquery.Document) []string {
	return document.Find("#phase-flowControl .row").Map(func(_ int, s *goquery.Selection) string {
		return strings.TrimPrefix(s.AttrOr("id", ""), "row-FlowSchema/") + " " + text(s.Find(".verdict"))
	})
}

func TestExploreTakesALineFromTheAddress(t *testing.T) {
	s := defaultsServer(t, "")
	for _, c := range []struct {
		line, lede string
		last       string
	}{
		{
			"get pods -A --as system:serviceaccount:team-a:web",
			"This request falls in service-accounts (precedence 9000) and goes to priority level workload-low, in the flow of system:serviceaccount:team-a:web. A read never reaches admission.",
			"service-accounts classified",
		}, {
			"list secrets -n team-a --as system:serviceaccount:kube-system:cleaner",
			"This request falls in kube-system-service-accounts (precedence 900) and goes to priority level workload-high, in the flow of namespace team-a. A read never reaches admission.",
			"kube-system-service-accounts classified",
		}, {
			"delete nodes one --as mira --as-group system:masters",
			"This request falls in exempt (precedence 1), and priority level exempt never makes it wait. Paste the object to see which admission policies it meets.",
			"exempt classified",
		}, {
			"GET /healthz --as mira",
			"It depends on the groups of mira where this request falls: in exempt (precedence 1) for members of system:masters, otherwise in probes (precedence 2). A request to a URL like this never reaches admission.",
			"probes cannot tell",
		}, {
			"get pods web --subresource log -n team-a --as mira",
			"Flow control does not see this request. Requests to pods/log run as long as somebody uses them, and pass flow control unclassified. A read never reaches admission.",
			"",
		},
	} {
		document := page(t, lineURL(s, c.line))
		checkPage(t, document)
		if got := text(document.Find("#result .lede")); got != c.lede {
			t.Errorf("%s:\n got %s\nwant %s", c.line, got, c.lede)
		}
		rows := rowsOf(document)
		if c.last == "" && len(rows) > 0 || c.last != "" && !slices.Contains(rows, c.last) {
			t.Errorf("%s: the rows are %q, want %q", c.line, rows, c.last)
		}
		if n := document.Find("#result .phase:not(#phase-flowControl)").Length(); n > 0 {
			t.Errorf("%s: admission is shown", c.line)
		}
		if got := document.Find("textarea[name=text]").Text(); strings.TrimSpace(got) != c.line {
			t.Errorf("the text is %q", got)
		}
		if got := text(document.Find(".sorts [aria-current]")); got != "Request line" {
			t.Errorf("%s is taken for %q", c.line, got)
		}
	}
}

func TestLinesShowWhoWasAskedBefore(t *testing.T) {
	document := page(t, lineURL(defaultsServer(t, ""), "list leases.coordination.k8s.io -n team-a --as system:kube-scheduler --as-group system:authenticated"))
	want := []string{"exempt lets it go", "probes lets it go", "system-leader-election lets it go", "system-node-high lets it go", "system-nodes lets it go", "kube-controller-manager lets it go", "kube-scheduler classified"}
	if got := rowsOf(document); !slices.Equal(got, want) {
		t.Errorf("the rows are\n%q, want\n%q", got, want)
	}
	// The schema for leader election has the user and the resource, but not the verb.
	if got := text(row(document, "FlowSchema/system-leader-election").Find(".why")); got != "Its rules need get, create, update, the request has list." {
		t.Errorf("the reason is %q", got)
	}
	if got := row(document, "FlowSchema/system-leader-election").Find(".trail > *").Length(); got != 3 {
		t.Errorf("the trail has %d gates, want subjects, resource rules and precedence", got)
	}
	if got := text(document.Find("#phase-flowControl .fold summary")); got != "4 come later" {
		t.Errorf("the fold says %q", got)
	}
}

func TestLinesWithoutScript(t *testing.T) {
	s := defaultsServer(t, "")
	first := page(t, lineURL(s, "list pods -n team-a --as system:serviceaccount:team-a:web"))
	// The form comes back with all its guesses; one field changes.
	for _, c := range []struct{ name, value, schema string }{
		{"user", "system:serviceaccount:kube-system:web", "kube-system-service-accounts"},
		{"groups", "system:masters", "exempt"},
		{"resource", "nodes", "service-accounts"},
		{"path", "/livez", "probes"},
		{"verb", "watch", "service-accounts"},
		{"allNamespaces", "true", "service-accounts"},
	} {
		_, second := post(t, s.URL+"/explore", first, map[string]string{c.name: c.value})
		checkPage(t, second)
		field := second.Find("#ask [name=" + c.name + "]")
		said := field.AttrOr("data-guessed", "") == "false"
		if _, checked := field.Attr("checked"); !said && !checked {
			t.Errorf("%s is shown as a guess: %s", c.name, htmlOf(t, field))
		}
		if got := text(second.Find("#result .lede b").First()); got != c.schema {
			t.Errorf("%s %s: the request falls in %q, want %q", c.name, c.value, got, c.schema)
		}
	}
}

func TestBrokenLinesLoseNothing(t *testing.T) {
	s := defaultsServer(t, "")
	for _, line := range []string{"get", "get podz -A", "list pods --as", "get pods 'a"} {
		response, document := post(t, s.URL+"/explore", page(t, lineURL(s, "get pods -A")), map[string]string{"text": line, "user": "mira"})
		checkPage(t, document)
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: %s", line, response.Status)
		}
		if got := text(document.Find(".problems .err")); !strings.Contains(got, "Line 1:") {
			t.Errorf("%q: the problem is %q", line, got)
		}
		if got := document.Find("textarea[name=text]").Text(); strings.TrimSpace(got) != line {
			t.Errorf("the text came back as %q", got)
		}
		if got := document.Find("#ask [name=user]").AttrOr("value", ""); got != "mira" || document.Find("#ask [name=verb]").Length() != 1 {
			t.Errorf("%q: the form has the user %q", line, got)
		}
	}
}

const review = `apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
spec:
  user: system:node:one
  groups: [system:nodes, system:authenticated]
  resourceAttributes: {verb: update, resource: nodes, subresource: status, name: one}
`

func TestExploreTakesASubjectAccessReview(t *testing.T) {
	s := defaultsServer(t, "")
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{
		"text": review, "user": "", "groups": "", "operation": "", "name": "", "namespace": "", "subresource": "",
	})
	checkPage(t, document)
	if got := text(document.Find("#result .lede b").First()); got != "system-node-high" {
		t.Errorf("the request falls in %q", got)
	}
	for name, want := range map[string]string{"user": "system:node:one", "resource": "nodes", "name": "one"} {
		if got := document.Find("#ask [name="+name+"]").AttrOr("value", ""); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := document.Find("#ask [name=subresource] option[selected]").AttrOr("value", ""); got != "status" {
		t.Errorf("the subresource is %q", got)
	}
}

// splitting tells an update from a patch.
const splitting = `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: patches}
spec:
  matchingPrecedence: 700
  priorityLevelConfiguration: {name: workload-low}
  rules:
    - subjects: [{kind: Group, group: {name: "*"}}]
      resourceRules: [{verbs: [patch], apiGroups: [""], resources: [configmaps], namespaces: ["*"]}]
`

func TestObjectsBeginWithFlowControl(t *testing.T) {
	s := defaultsServer(t, splitting)
	for _, c := range []struct {
		name, user, groups, operation string
		want                          []string
	}{
		{"nobody named", "", "", "CREATE", []string{"It depends on who asks: in exempt (precedence 1) for members of system:masters, otherwise in catch-all (precedence 10000)."}},
		{"a create", "mira", "devs", "CREATE", []string{"Falls in catch-all (precedence 10000), and priority level catch-all refuses it when it is full."}},
		{"an update or a patch", "mira", "devs", "UPDATE", []string{
			"As an update it falls in catch-all (precedence 10000), and priority level catch-all refuses it when it is full.",
			"As a patch it falls in patches (precedence 700) and goes to priority level workload-low, in one flow with all others of the schema.",
		}},
		{"both to the same", "mira", "system:masters", "UPDATE", []string{"Falls in exempt (precedence 1), and priority level exempt never makes it wait."}},
	} {
		_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{
			"text": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: team-a}\n",
			"user": c.user, "groups": c.groups, "operation": c.operation, "name": "", "namespace": "", "subresource": "",
		})
		checkPage(t, document)
		says := document.Find("#phase-flowControl .falls").Map(func(_ int, s *goquery.Selection) string { return text(s) })
		if !slices.Equal(says, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, says, c.want)
		}
	}
}

func TestFlowControlIsTheFirstStop(t *testing.T) {
	s := sampleServer(t)
	_, document := post(t, s.URL+"/explore", page(t, s.URL+"/explore"), map[string]string{"text": podThatOptsOut, "name": "", "namespace": "", "user": "", "groups": ""})
	phases := document.Find("#result .phase").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("id", "") })
	want := []string{"phase-flowControl", "phase-mutatingPolicies", "phase-mutatingWebhooks", "phase-validatingPolicies", "phase-validatingWebhooks"}
	if !slices.Equal(phases, want) {
		t.Errorf("the stops are %q", phases)
	}
	if got := text(document.Find("#result .lede")); !strings.Contains(got, "of 48 policies") {
		t.Errorf("the lede counts FlowSchemas: %q", got)
	}
	link := document.Find("#phase-flowControl a.alone")
	alone := page(t, s.URL+link.AttrOr("href", ""))
	if got := alone.Find("textarea[name=text]").Text(); strings.TrimSpace(got) != "create pods -n shop-prod" {
		t.Errorf("the request alone is %q", got)
	}
}

func TestUnknownFlowSchemasAreNotGuessed(t *testing.T) {
	source := newChanging(newGate())
	s := serve(t, source)
	snapshot := *source.Snapshot()
	snapshot.About.Syncing = []cluster.Progress{{Name: "FlowSchemas"}}
	source.set(&snapshot)
	for line, lede := range map[string]string{
		"list pods --as mira":  "Which FlowSchema takes this request is not known. A read never reaches admission.",
		podThatOptsOut:         "1 of 1 policy sees this request.",
		"create pods --as bob": "Which FlowSchema takes this request is not known. Paste the object to see which admission policies it meets.",
	} {
		document := page(t, lineURL(s, line))
		if got := text(document.Find("#result .lede")); got != lede {
			t.Errorf("the lede is %q", got)
		}
		if got := text(document.Find("#phase-flowControl .quiet")); !strings.HasPrefix(got, "The FlowSchemas are still being read") {
			t.Errorf("the gap is %q", got)
		}
	}
}

func TestAPIExplainsLinesAndReviews(t *testing.T) {
	s := defaultsServer(t, "")
	for body, want := range map[string]string{
		"GET /healthz --as mira --as-group devs": "probes",
		review:                                   "system-node-high",
		`{"text": "list pods -A --as mira --as-group devs", "ask": {"user": "system:serviceaccount:team-a:web"}}`: "service-accounts",
	} {
		response, answer := send(t, newRequest(t, http.MethodPost, s.URL+"/api/v1/explain", body))
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", response.Status, answer)
		}
		var document struct {
			Request  map[string]any
			Policies []struct {
				Kind, Name, Outcome, Effect string
				Layers                      []struct{ Name string }
			}
		}
		if err := json.Unmarshal([]byte(answer), &document); err != nil {
			t.Fatal(err)
		}
		var included []string
		for _, p := range document.Policies {
			if p.Kind != "FlowSchema" || len(p.Layers) == 0 {
				t.Errorf("%s: %+v takes part", body, p)
			}
			if p.Outcome == "included" && p.Effect == "classified" {
				included = append(included, p.Name)
			}
		}
		if !slices.Equal(included, []string{want}) {
			t.Errorf("%s falls in %q, want %s", body, included, want)
		}
		if document.Request["user"] == nil {
			t.Errorf("%s: the request is %v, and no spec of a SubjectAccessReview", body, document.Request)
		}
	}
}

func TestSessionAnswersLines(t *testing.T) {
	c := dial(t, defaultsServer(t, ""))
	c.ask(1, "list pods -A --as system:serviceaccount:team-a:web")
	r := c.reply()
	if got := text(parse(t, r.HTML["result"]).Find(".lede b").First()); r.State != stateAnswer || got != "service-accounts" {
		t.Errorf("%s: the request falls in %q", r.State, got)
	}
	if got := parse(t, r.HTML["ask"]).Find("#ask").AttrOr("data-sort", ""); got != "line" {
		t.Errorf("the form is for %q", got)
	}
	c.ask(2, "list podz -A")
	if r := c.reply(); r.State != stateBroken || r.Problems[0].Line != 1 || r.Problems[0].Column != 6 {
		t.Errorf("a word that means nothing: %+v", r)
	}
	if err := c.WriteJSON(question{Seq: 3, Text: "list pods -A", Ask: ask{User: "mira", Groups: []string{"system:masters"}, Path: "/version"}}); err != nil {
		t.Fatal(err)
	}
	if got := text(parse(t, c.reply().HTML["result"]).Find(".lede b").First()); got != "exempt" {
		t.Errorf("with fields said, the request falls in %q", got)
	}
}

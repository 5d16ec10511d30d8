package views

import (
	"slices"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// flowPolicies compiles FlowSchemas and priority levels, as if nothing else were known.
func flowPolicies(t *testing.T, levelsKnown bool, documents ...string) []*scope.Policy {
	t.Helper()
	o := scope.Objects{
		Of:       map[schema.GroupKind][]runtime.Object{},
		Complete: func(kind schema.GroupKind) bool { return levelsKnown || kind.Kind == "FlowSchema" },
		Origin:   func(schema.GroupKind, string, string) string { return "" },
	}
	for _, d := range documents {
		var kind struct{ Kind string }
		read(t, d, &kind)
		key := flowcontrolv1.SchemeGroupVersion.WithKind(kind.Kind).GroupKind()
		if kind.Kind == "FlowSchema" {
			o.Of[key] = append(o.Of[key], read(t, d, &flowcontrolv1.FlowSchema{}))
		} else {
			o.Of[key] = append(o.Of[key], read(t, d, &flowcontrolv1.PriorityLevelConfiguration{}))
		}
	}
	return flow.Compiler{}.Policies(o)
}

// flowSchema takes every request for pods from everybody.
func flowSchema(name, level, more string) string {
	return `kind: FlowSchema
metadata: {name: ` + name + `}
spec:
  matchingPrecedence: 500
  priorityLevelConfiguration: {name: ` + level + `}
  ` + more + `
  rules:
    - subjects: [{kind: Group, group: {name: "*"}}]
      resourceRules: [{verbs: ["*"], apiGroups: [""], resources: [pods], namespaces: ["*"], clusterScope: true}]
`
}

func priorityLevel(name, response string) string {
	return "kind: PriorityLevelConfiguration\nmetadata: {name: " + name + "}\nspec: {type: Limited, limited: {limitResponse: " + response + "}}\n"
}

func flowFacts() *scope.Facts {
	var all []resource.Resource
	for _, name := range []string{"pods", "nodes"} {
		r := resource.Resource{Kind: schema.GroupVersionKind{Version: "v1", Kind: map[string]string{"pods": "Pod", "nodes": "Node"}[name]}, Namespaced: name == "pods", Served: true}
		r.Version, r.Resource = "v1", name
		all = append(all, r)
	}
	return &scope.Facts{Resources: resource.NewSet(all, nil)}
}

// flowResult answers a request line.
func flowResult(t *testing.T, policies []*scope.Policy, line string) Result {
	t.Helper()
	facts := flowFacts()
	derived, problems := request.FromText("", []byte(line), 0, request.Ask{}, facts)
	if derived == nil {
		t.Fatal(problems)
	}
	traces, err := scope.NewSet(policies).Explain(t.Context(), derived.Request, facts)
	if err != nil {
		t.Fatal(err)
	}
	catalog, lines := NewCatalog(policies, nil), LinesOf(derived)
	r := NewResult(t.Context(), catalog, traces, lines, "")
	r.AddFlowControl(t.Context(), FlowControl{
		Catalog: catalog, Order: flow.OrderOf(policies), Input: scope.NewInput(derived.Request, facts, scope.FlowControl), Traces: traces, Lines: lines,
	})
	return r
}

// TestFalls holds the sentence to what the API server does with the request
// (k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go, startRequest).
func TestFalls(t *testing.T) {
	const queues = "{type: Queue, queuing: {queues: 16, handSize: 4, queueLengthLimit: 50}}"
	for _, c := range []struct{ name, level, response, more, line, want string }{
		{
			"a flow per user", "own", queues, "distinguisherMethod: {type: ByUser}", "list pods -n a --as mira --as-group devs",
			"This request falls in all-pods (precedence 500) and goes to priority level own, in the flow of mira.",
		}, {
			"a flow per namespace", "own", queues, "distinguisherMethod: {type: ByNamespace}", "list pods -n a --as mira --as-group devs",
			"This request falls in all-pods (precedence 500) and goes to priority level own, in the flow of namespace a.",
		}, {
			"a flow per namespace, without one", "own", queues, "distinguisherMethod: {type: ByNamespace}", "list pods -A --as mira --as-group devs",
			"This request falls in all-pods (precedence 500) and goes to priority level own, in the flow of requests without a namespace.",
		}, {
			"one flow", "own", queues, "", "list pods -A --as mira --as-group devs",
			"This request falls in all-pods (precedence 500) and goes to priority level own, in one flow with all others of the schema.",
		}, {
			"one queue", "own", "{type: Queue, queuing: {queues: 1, handSize: 1, queueLengthLimit: 50}}", "distinguisherMethod: {type: ByUser}", "list pods -A --as mira --as-group devs",
			"This request falls in all-pods (precedence 500) and goes to priority level own, in its only queue.",
		}, {
			"no queue", "own", "{type: Reject}", "distinguisherMethod: {type: ByUser}", "list pods -A --as mira --as-group devs",
			"This request falls in all-pods (precedence 500), and priority level own refuses it when it is full.",
		}, {
			"no such level", "missing", "{type: Reject}", "", "list pods -A --as mira --as-group devs",
			"This request falls in catch-all (precedence 10000), and priority level catch-all refuses it when it is full.",
		},
	} {
		policies := flowPolicies(t, true, flowSchema("all-pods", c.level, c.more), priorityLevel("own", c.response))
		if got := flowResult(t, policies, c.line).Lede.String(); got != c.want+" A read never reaches admission." {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestFallsWhereTheLevelIsNotKnown(t *testing.T) {
	r := flowResult(t, flowPolicies(t, false, flowSchema("all-pods", "hidden", "")), "list pods -A --as mira --as-group devs")
	want := "It depends on whether the priority level hidden exists where this request falls: in all-pods (precedence 500), otherwise in catch-all (precedence 10000). A read never reaches admission."
	if got := r.Lede.String(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestSchemasThatAreIgnoredSaySo(t *testing.T) {
	r := flowResult(t, flowPolicies(t, true, flowSchema("all-pods", "missing", "")), "list pods -A --as mira --as-group devs")
	i := slices.IndexFunc(r.FlowControl.Rows, func(row Row) bool { return row.Name == "all-pods" })
	if i < 0 {
		t.Fatal("the schema has no row")
	}
	if got := r.FlowControl.Rows[i]; got.Verdict.Word != "ignored" || got.Why.String() != "The API server ignores a FlowSchema whose priority level does not exist." {
		t.Errorf("it is %s: %s", got.Verdict.Word, got.Why)
	}
}

// TestURLsHaveNoResourceRules holds that a layer which does not concern a request is shown
// nowhere.
func TestURLsHaveNoResourceRules(t *testing.T) {
	r := flowResult(t, flowPolicies(t, true), "GET /healthz --as mira --as-group devs")
	document := rendered(t, ResultSection(r))
	row := document.Find(`[id="row-FlowSchema/catch-all"]`)
	if got, want := row.Find(".trail").AttrOr("aria-label", ""), "Subjects matches; Non-resource rules matches; Precedence matches"; got != want {
		t.Errorf("the trail is %q, want %q", got, want)
	}
	if got := text(row.Find(".steps dt")); got != "Subjects Non-resource rules Precedence" {
		t.Errorf("the steps are %q", got)
	}
	if document.Find(".row.chosen").Length() != 1 {
		t.Error("the schema that takes the request does not stand out")
	}
}

// TestRequestLineAsksTheSame turns a request into a line and reads it again.
func TestRequestLineAsksTheSame(t *testing.T) {
	facts := flowFacts()
	for _, line := range []string{
		"create pods -n team-a --as mira --as-group devs --as-group ops",
		"patch pods web --subresource=status -n team-a --as system:serviceaccount:team-a:web",
		"delete nodes one --as 'mira the first'",
		"deletecollection pods -n team-a",
	} {
		first, problems := request.FromText("", []byte(line), 0, request.Ask{}, facts)
		if first == nil {
			t.Fatal(line, problems)
		}
		again := requestLine(first.Request)
		second, problems := request.FromText("", []byte(again), 0, request.Ask{}, facts)
		if second == nil {
			t.Fatal(again, problems)
		}
		a, b := first.Request, second.Request
		if !slices.Equal(a.Access.Verbs, b.Access.Verbs) || a.Resource != b.Resource || a.Subresource != b.Subresource || a.Namespace != b.Namespace || a.Name != b.Name {
			t.Errorf("%q became %q", line, again)
		}
		if (a.User == nil) != (b.User == nil) || a.User != nil && (a.User.Username != b.User.Username || !slices.Equal(a.User.Groups, b.User.Groups)) {
			t.Errorf("%q became %q: %+v", line, again, b.User)
		}
	}
}

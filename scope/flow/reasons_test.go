package flow

import (
	"fmt"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
)

// read makes FlowSchemas of YAML documents.
func read(t *testing.T, text string) []*flowcontrolv1.FlowSchema {
	t.Helper()
	var all []*flowcontrolv1.FlowSchema
	for _, document := range strings.Split(text, "\n---\n") {
		s := &flowcontrolv1.FlowSchema{}
		if err := yaml.UnmarshalStrict([]byte(document), s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

const ops = `
metadata: {name: ops}
spec:
  matchingPrecedence: 700
  priorityLevelConfiguration: {name: workload-low}
  distinguisherMethod: {type: ByNamespace}
  rules:
  - subjects:
    - {kind: Group, group: {name: ops}}
    - {kind: ServiceAccount, serviceAccount: {namespace: tools, name: "*"}}
    resourceRules:
    - {verbs: [get, list], apiGroups: [""], resources: [pods, "pods/*"], namespaces: [shop]}
    - {verbs: ["*", get], apiGroups: [apps], resources: [deployments], clusterScope: true, namespaces: ["*"]}
  - subjects:
    - {kind: User, user: {name: alice}}
    nonResourceRules:
    - {verbs: [create], nonResourceURLs: [/metrics]}
    - {verbs: [get], nonResourceURLs: [/healthz/*]}
`

// ask is a request with what is known of who asks.
type ask struct {
	user   string
	groups []string
	access scope.Access
	open   []scope.Missing
}

func (a ask) request() *scope.Request {
	r := &scope.Request{Access: a.access, Open: a.open}
	if a.user != "" {
		r.User = &authenticationv1.UserInfo{Username: a.user, Groups: a.groups}
	}
	return r
}

func pods(verb, resource, namespace string) scope.Access {
	name, sub, _ := strings.Cut(resource, "/")
	return scope.Access{Verbs: []string{verb}, Resource: name, Subresource: sub, Namespace: namespace}
}

var authenticated = []string{"system:authenticated"}

// TestReasons says which requirement decided, and what it was compared with. The expected
// reasons follow from the rules as the reference has them.
func TestReasons(t *testing.T) {
	whoAsks := []scope.Missing{{Path: "request.userInfo", Fact: "who asks"}}
	for _, c := range []struct {
		name   string
		ask    ask
		layer  scope.LayerName
		want   scope.StepOutcome
		reason scope.Reason
	}{
		{"the subject that matches", ask{"bob", []string{"ops"}, pods("get", "pods", "shop"), nil}, scope.Subjects, scope.Match,
			scope.Reason{Field: "spec.rules[0].subjects[0]", Want: "group ops", Got: "bob, in ops", Path: "request.userInfo.groups"}},
		{"a service account by its namespace", ask{"system:serviceaccount:tools:x", nil, pods("get", "pods", "shop"), nil}, scope.Subjects, scope.Match,
			scope.Reason{Field: "spec.rules[0].subjects[1]", Want: "every service account of tools", Path: "request.userInfo.username"}},
		{"nobody", ask{"bob", authenticated, pods("get", "pods", "shop"), nil}, scope.Subjects, scope.NoMatch,
			scope.Reason{Field: "spec.rules[0].subjects", Want: "group ops, every service account of tools", Got: "bob, in system:authenticated"}},
		{"who asks is open", ask{"", nil, pods("get", "pods", "shop"), whoAsks}, scope.Subjects, scope.Open,
			scope.Reason{Field: "spec.rules[0].subjects", Got: "not known", Message: "It depends on who asks."}},
		{"the rule that covers", ask{"bob", []string{"ops"}, pods("list", "pods", "shop"), nil}, scope.ResourceRules, scope.Match,
			scope.Reason{Field: "spec.rules[0].resourceRules[0]", Want: "get, list pods, pods/* of core, in shop", Got: "list pods in namespace shop"}},
		{"another verb", ask{"bob", []string{"ops"}, pods("watch", "pods", "shop"), nil}, scope.ResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[0].resourceRules[0].verbs", Want: "get, list", Got: "watch", Path: "request.verb"}},
		{"another namespace", ask{"bob", []string{"ops"}, pods("get", "pods", "shop-2"), nil}, scope.ResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[0].resourceRules[0].namespaces", Want: "shop", Got: "namespace shop-2"}},
		{"all namespaces", ask{"bob", []string{"ops"}, pods("list", "pods", ""), nil}, scope.ResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[0].resourceRules[0].clusterScope", Want: "clusterScope: true", Got: "no namespace",
				Message: "A request without a namespace, or to all namespaces at once, needs clusterScope; namespaces do not count for it."}},
		{"no pattern", ask{"bob", []string{"ops"}, pods("get", "pods/status", "shop"), nil}, scope.ResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[0].resourceRules[0].resources", Got: "pods/status", Message: "pods/* is no pattern here: a subresource has to be named, as in pods/status."}},
		{"a star that is not alone", ask{"bob", []string{"ops"}, scope.Access{Verbs: []string{"list"}, APIGroup: "apps", Resource: "deployments", Namespace: "shop"}, nil}, scope.ResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[0].resourceRules[1].verbs", Want: "*, get", Message: "A star stands for everything only where it is alone in the list."}},
		{"only the rules of the subject count", ask{"alice", authenticated, pods("get", "pods", "shop"), nil}, scope.ResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[1]", Message: "No rule for these subjects has resourceRules, so this schema takes no request for a resource from them."}},
		{"the verb of a URL", ask{"alice", authenticated, scope.Access{Verbs: []string{"post"}, Path: "/metrics"}, nil}, scope.NonResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[1].nonResourceRules[0].verbs", Want: "create", Got: "post", Message: "The verb of a request for such a URL is its HTTP method."}},
		{"a URL with a star", ask{"alice", authenticated, scope.Access{Verbs: []string{"get"}, Path: "/healthz"}, nil}, scope.NonResourceRules, scope.NoMatch,
			scope.Reason{Field: "spec.rules[1].nonResourceRules[1].nonResourceURLs", Got: "/healthz", Message: "/healthz/* covers what is below /healthz, not /healthz itself."}},
		{"a long-running request", ask{"bob", []string{"ops"}, pods("create", "pods/exec", "shop"), nil}, scope.Exemption, scope.NoMatch,
			scope.Reason{Got: "create pods/exec in namespace shop", Message: "Requests to pods/exec run as long as somebody uses them, and pass flow control unclassified."}},
		{"nobody before", ask{"bob", []string{"ops"}, pods("get", "pods", "shop"), nil}, scope.Precedence, scope.Match,
			scope.Reason{Field: "spec.matchingPrecedence", Got: "none, up to 700"}},
		{"exempt before", ask{"bob", []string{"ops", "system:masters"}, pods("get", "pods", "shop"), nil}, scope.Precedence, scope.NoMatch,
			scope.Reason{Field: "spec.matchingPrecedence", Got: "exempt at 1 takes it", Path: "flowschema/exempt"}},
		{"maybe exempt", ask{"", nil, pods("get", "pods", "shop"), whoAsks}, scope.Precedence, scope.Open,
			scope.Reason{Got: "not known", Message: "It depends on who asks."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace := traceOf(t, NewOrder(read(t, ops), NewLevels(nil, true)), "ops", c.ask.request())
			for i, step := range trace.Steps(t.Context()) {
				if trace.Policy.Layers[i].Name() != c.layer {
					continue
				}
				if step.Outcome != c.want {
					t.Fatalf("the step is %s, want %s", step.Outcome, c.want)
				}
				reasons := trace.Reasons(t.Context(), i)
				if len(reasons) == 0 {
					t.Fatal("there is no reason")
				}
				compareReason(t, reasons[0], c.reason)
			}
		})
	}
}

// compareReason compares what an expected reason says and leaves out the rest.
func compareReason(t *testing.T, got, want scope.Reason) {
	t.Helper()
	for _, part := range [][2]string{{got.Field, want.Field}, {got.Want, want.Want}, {got.Got, want.Got}, {got.Path, want.Path}, {got.Message, want.Message}} {
		if part[1] != "" && part[0] != part[1] {
			t.Errorf("got %q, want %q", part[0], part[1])
		}
	}
}

func traceOf(t *testing.T, o *Order, name string, r *scope.Request) *scope.Trace {
	t.Helper()
	for _, trace := range tracesOf(t, o, r) {
		if trace.Policy.Name == name {
			return trace
		}
	}
	t.Fatalf("there is no policy %s", name)
	return nil
}

func tracesOf(t *testing.T, o *Order, r *scope.Request) []*scope.Trace {
	t.Helper()
	var policies []*scope.Policy
	for _, s := range o.Schemas {
		policies = append(policies, o.policy(s))
	}
	traces, err := scope.NewSet(policies).Explain(t.Context(), r, &scope.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

// TestDangling ignores a schema whose priority level does not exist, and leaves open what
// it takes while that is not known.
func TestDangling(t *testing.T) {
	schemas := read(t, strings.ReplaceAll(ops, "workload-low", "somewhere"))
	r := ask{"bob", []string{"ops", "system:authenticated"}, pods("get", "pods", "shop"), nil}.request()
	absent := NewOrder(schemas, NewLevels(nil, true))
	if trace := traceOf(t, absent, "ops", r); trace.Outcome != scope.Excluded || trace.DecidedBy != scope.Precedence {
		t.Errorf("without its level it is %s by %q", trace.Outcome, trace.DecidedBy)
	}
	if trace := traceOf(t, absent, "catch-all", r); trace.Outcome != scope.Included || trace.Effect != scope.Classified {
		t.Errorf("catch-all is %s", trace.Outcome)
	}
	unknown := NewOrder(schemas, NewLevels(nil, false))
	for _, name := range []string{"ops", "catch-all"} {
		trace := traceOf(t, unknown, name, r)
		if trace.Outcome != scope.Unknown || fmt.Sprint(trace.Missing()) != "[{prioritylevelconfiguration/somewhere whether the priority level somewhere exists}]" {
			t.Errorf("%s is %s, missing %v", name, trace.Outcome, trace.Missing())
		}
	}
	schemas[0].Status.Conditions = []flowcontrolv1.FlowSchemaCondition{{Type: flowcontrolv1.FlowSchemaConditionDangling, Status: flowcontrolv1.ConditionTrue}}
	if trace := traceOf(t, NewOrder(schemas, NewLevels(nil, false)), "ops", r); trace.Outcome != scope.Excluded {
		t.Errorf("with the condition in its status it is %s", trace.Outcome)
	}
}

package flow

import (
	"fmt"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"

	"github.com/ambit-k8s/ambit/scope"
)

// defaults is the order of a server that nobody configured.
func defaults() *Order {
	var all []*flowcontrolv1.FlowSchema
	for _, object := range (Compiler{}).Defaults() {
		all = append(all, object.(*flowcontrolv1.FlowSchema))
	}
	return NewOrder(all, NewLevels(nil, true))
}

// TestClassifyDefaults is what the defaults of Kubernetes 1.37 do with the requests that
// their authors had in mind (k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go).
func TestClassifyDefaults(t *testing.T) {
	account := func(namespace, name string) ask {
		return ask{user: "system:serviceaccount:" + namespace + ":" + name, groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"}}
	}
	node := ask{user: "system:node:n1", groups: []string{"system:nodes", "system:authenticated"}}
	lease := func(verb, namespace string) scope.Access {
		return scope.Access{Verbs: []string{verb}, APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: namespace}
	}
	for _, c := range []struct {
		name                               string
		who                                ask
		access                             scope.Access
		schema, level, distinguisher, flow string
	}{
		{"a member of system:masters", ask{user: "root", groups: []string{"system:masters", "system:authenticated"}}, pods("list", "pods", ""), "exempt", "exempt", "", ""},
		{"a probe", ask{user: "system:anonymous", groups: []string{"system:unauthenticated"}}, scope.Access{Verbs: []string{"get"}, Path: "/livez"}, "probes", "exempt", "", ""},
		{"a node's status", node, pods("update", "nodes/status", ""), "system-node-high", "node-high", "user", "system:node:n1"},
		{"a node's pods", node, pods("get", "pods", "shop"), "system-nodes", "system", "user", "system:node:n1"},
		{"leader election in kube-system", account("kube-system", "dns"), lease("update", "kube-system"), "system-leader-election", "leader-election", "user", "system:serviceaccount:kube-system:dns"},
		{"the scheduler", ask{user: "system:kube-scheduler", groups: authenticated}, pods("list", "pods", ""), "kube-scheduler", "workload-high", "namespace", ""},
		{"an account of kube-system", account("kube-system", "dns"), pods("get", "pods", "shop"), "kube-system-service-accounts", "workload-high", "namespace", "shop"},
		{"any other account", account("shop", "web"), pods("get", "pods", "shop"), "service-accounts", "workload-low", "user", "system:serviceaccount:shop:web"},
		{"a person", ask{user: "alice", groups: authenticated}, pods("get", "pods", "shop"), "global-default", "global-default", "user", "alice"},
		{"a person at a URL", ask{user: "alice", groups: authenticated}, scope.Access{Verbs: []string{"get"}, Path: "/api/v1"}, "global-default", "global-default", "user", "alice"},
		{"somebody in no group", ask{user: "alice"}, pods("get", "pods", "shop"), "catch-all", "catch-all", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.who.access = c.access
			got := classify(c.who)
			if got.Schema == nil {
				t.Fatalf("it is open: %+v", got)
			}
			if got.Schema.Name != c.schema || got.Schema.Level.Name != c.level || got.Distinguisher != c.distinguisher || got.Flow != c.flow {
				t.Errorf("got %s at %s, flow %q by %q", got.Schema.Name, got.Schema.Level.Name, got.Flow, got.Distinguisher)
			}
			if got.Fallback != (c.who.groups == nil) {
				t.Errorf("fallback is %v", got.Fallback)
			}
		})
	}
}

func classify(a ask) Classification {
	r := a.request()
	return defaults().Classify(scope.NewInput(r, &scope.Facts{}, scope.FlowControl), r.Access.Verbs[0])
}

// TestClassifyOpen lists who would fall where while it is open who asks.
func TestClassifyOpen(t *testing.T) {
	got := classify(ask{access: pods("create", "pods", "shop"), open: []scope.Missing{{Path: "request.userInfo", Fact: "who asks"}}})
	var candidates []string
	for _, c := range got.Candidates {
		candidates = append(candidates, fmt.Sprint(c.Name, c.Subjects))
	}
	want := "[exempt[group system:masters] system-nodes[group system:nodes] kube-controller-manager[user system:kube-controller-manager]" +
		" kube-scheduler[user system:kube-scheduler] kube-system-service-accounts[every service account of kube-system]" +
		" service-accounts[group system:serviceaccounts] global-default[]]"
	if fmt.Sprint(candidates) != want || got.Schema != nil {
		t.Errorf("got  %v\nwant %s", candidates, want)
	}
	if bypassed := classify(ask{user: "a", access: pods("get", "pods/log", "shop")}); bypassed.Bypass == "" || bypassed.Schema != nil {
		t.Errorf("a request for logs is classified: %+v", bypassed)
	}
}

// TestImagined puts the mandatory schemas where nobody stored them: exempt first,
// catch-all behind everything, and catch-all once only.
func TestImagined(t *testing.T) {
	late := bootstrap.SuggestedFlowSchemas[0].DeepCopy()
	late.Name, late.Spec.MatchingPrecedence = "zebra", 10000
	var names []string
	for _, s := range NewOrder([]*flowcontrolv1.FlowSchema{late}, NewLevels(nil, true)).Schemas {
		names = append(names, fmt.Sprint(s.Name, s.Imagined))
	}
	if fmt.Sprint(names) != "[exempttrue zebrafalse catch-alltrue]" {
		t.Errorf("got %v", names)
	}
}

package sample

import (
	"maps"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/request"
)

// order returns the FlowSchemas of the sample as they are asked.
func order(t *testing.T) *flow.Order {
	t.Helper()
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	return flow.OrderOf(source.Snapshot().Policies.Policies())
}

// account is a request of a service account.
func account(namespace, name string, d flow.Digest) flow.Digest {
	d.User = "system:serviceaccount:" + namespace + ":" + name
	d.Groups = []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"}
	return d
}

// person is a request of a member of a group.
func person(group string, d flow.Digest) flow.Digest {
	d.User, d.Groups = "ines@fennel.example.com", []string{group, "system:authenticated"}
	return d
}

// TestWhereRequestsFall holds the sample to what its README says of flow control.
func TestWhereRequestsFall(t *testing.T) {
	o := order(t)
	allPods := flow.Digest{Verb: "list", Resource: "pods"}
	somePods := flow.Digest{Verb: "list", Resource: "pods", Namespace: "shop-dev"}
	patch := flow.Digest{Verb: "patch", APIGroup: "apps", Resource: "deployments", Namespace: "shop-prod"}
	jobs := flow.Digest{Verb: "get", APIGroup: "batch", Resource: "jobs", Namespace: "warehouse-prod"}
	storefronts := flow.Digest{Verb: "watch", APIGroup: "shop.fennel.example.com", Resource: "storefronts"}
	alert := flow.Digest{Verb: "post", Path: "/api/v2/alerts", User: "system:anonymous", Groups: []string{"system:unauthenticated"}}
	for _, tc := range []struct {
		name, want string
		request    flow.Digest
	}{
		{"prometheus, discovery", "monitoring", account("monitoring", "prometheus", allPods)},
		{"gitops, list", "gitops-lists", account("ci", "gitops", allPods)},
		{"gitops, write", "service-accounts", account("ci", "gitops", patch)},
		{"runner", "service-accounts", account("ci", "runner", allPods)},
		{"label-printer", "service-accounts", account("warehouse-prod", "label-printer", jobs)},
		{"cert-manager", "platform-controllers", account("cert-manager", "cert-manager", patch)},
		{"storefront-operator", "service-accounts", account("policy-system", "storefront-operator", storefronts)},
		{"network agent", "kube-system-service-accounts", account("kube-system", "cilium", allPods)},
		{"on call", "oncall", person("fennel:platform-oncall", patch)},
		{"engineer, one namespace", "engineering-lists", person("fennel:engineering", somePods)},
		{"engineer, all namespaces", "global-default", person("fennel:engineering", allPods)},
		{"payments", "global-default", person("fennel:payments", somePods)},
		{"administrator", "exempt", person("system:masters", allPods)},
		{"stray alert", "global-default", alert},
	} {
		got := o.First(&tc.request)
		if got == nil || got.Name != tc.want {
			t.Errorf("%s: falls in %v, want %s", tc.name, got, tc.want)
		}
	}
}

// TestFlowAccidents holds the sample to having the FlowSchemas that get no request which its README lists, and no other.
func TestFlowAccidents(t *testing.T) {
	o := order(t)
	for _, s := range o.Schemas {
		if s.Imagined || s.HasLevel == scope.NotKnown {
			t.Errorf("%s is imagined, or its level is not known", s.Name)
		}
	}
	type accident struct {
		cause flow.Cause
		by    string
	}
	got := map[string]accident{}
	for _, n := range o.Never() {
		a := accident{cause: n.Cause}
		if n.By != nil {
			a.by = n.By.Name
		}
		if got[n.Schema.Name] = a; !n.Whole() {
			t.Errorf("only a part of %s gets no request: %s", n.Schema.Name, n.Text)
		}
	}
	want := map[string]accident{
		"prometheus-discovery": {flow.CauseShadowed, "monitoring"},
		"builds":               {flow.CauseShadowed, "service-accounts"},
		"warehouse-labels":     {flow.CauseDangling, ""},
		"stray-alerts":         {flow.CauseVerb, ""},
	}
	if !maps.Equal(got, want) {
		t.Errorf("these get no request: %v, want %v", got, want)
	}
}

// TestExamplesOfFlowControl holds the examples of flow control to what the README says of them.
func TestExamplesOfFlowControl(t *testing.T) {
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	s := source.Snapshot()
	for name, want := range map[string]struct {
		included, excluded string
		by                 scope.LayerName
	}{
		"prometheus-lists-all-pods":  {"monitoring", "prometheus-discovery", scope.Precedence},
		"engineer-lists-all-pods":    {"global-default", "engineering-lists", scope.ResourceRules},
		"alert-at-the-wrong-address": {"global-default", "stray-alerts", scope.NonResourceRules},
	} {
		i := slices.IndexFunc(all, func(e Example) bool { return e.Name == name })
		if i < 0 {
			t.Errorf("there is no example %s", name)
			continue
		}
		derived, problems := request.FromText(name, []byte(all[i].Text), 0, request.Ask{}, s.Facts)
		if derived == nil {
			t.Errorf("%s is no request: %v", name, problems)
			continue
		}
		traces, err := s.Policies.Explain(t.Context(), derived.Request, s.Facts)
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]scope.Trace{}
		for _, trace := range traces {
			of[trace.Policy.Name] = *trace
		}
		if got := of[want.included].Outcome; got != scope.Included {
			t.Errorf("%s: %s is %q", name, want.included, got)
		}
		if got := of[want.excluded]; got.Outcome != scope.Excluded || got.DecidedBy != want.by {
			t.Errorf("%s: %s is %q, decided by %q", name, want.excluded, got.Outcome, got.DecidedBy)
		}
	}
}

// TestIdentities holds that the sample has somebody of every sort to tell of.
func TestIdentities(t *testing.T) {
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	i := source.Snapshot().Identities
	for _, want := range []types.NamespacedName{{Namespace: "ci", Name: "gitops"}, {Namespace: "policy-system", Name: "storefront-operator"}} {
		if !slices.Contains(i.ServiceAccounts, want) {
			t.Errorf("there is no service account %s", want)
		}
	}
	if !slices.Contains(i.Users, "audit@ledgerworks.example.com") || !slices.Contains(i.Groups, "fennel:engineering") {
		t.Errorf("users are %q, groups %q", i.Users, i.Groups)
	}
}

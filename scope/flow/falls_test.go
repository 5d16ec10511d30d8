package flow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// defaultsAnd is the order of the schemas of every API server and some more.
func defaultsAnd(t testing.TB, more ...*flowcontrolv1.FlowSchema) *Order {
	t.Helper()
	for _, object := range (Compiler{}).Defaults() {
		more = append(more, object.(*flowcontrolv1.FlowSchema))
	}
	return NewOrder(more, NewLevels(nil, true))
}

// TestFall places those whom every cluster has, under the schemas that every API server
// creates. The expectations are those of k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap.
func TestFall(t *testing.T) {
	o := defaultsAnd(t)
	pods := Target{Resource: "pods", Namespace: "default"}
	leases := Target{APIGroup: "coordination.k8s.io", Resource: "leases", Namespace: "kube-system"}
	known := o.WellKnown()
	for name, c := range map[string]struct {
		who    Identity
		target Target
		verb   string
		want   string
	}{
		"administrator":             {known[0], pods, "get", "exempt"},
		"node":                      {known[1], pods, "get", "system-nodes"},
		"node for itself":           {known[1], Target{Resource: "nodes"}, "update", "system-node-high"},
		"controller manager":        {known[2], pods, "list", "kube-controller-manager"},
		"controller manager, lease": {known[2], leases, "update", "system-leader-election"},
		"scheduler":                 {known[3], pods, "watch", "kube-scheduler"},
		"scheduler, lease by patch": {known[3], leases, "patch", "kube-scheduler"},
		"any user":                  {known[4], pods, "get", "global-default"},
		"anonymous":                 {known[5], pods, "get", "global-default"},
		"anonymous probe":           {known[5], Target{Path: "/readyz"}, "get", "probes"},
		"account":                   {AccountIdentity("ci", "build"), pods, "get", "service-accounts"},
		"account of kube-system":    {AccountIdentity("kube-system", "dns"), pods, "get", "kube-system-service-accounts"},
		"account by its user name":  {UserIdentity("system:serviceaccount:kube-system:dns"), pods, "get", "kube-system-service-accounts"},
		"exec":                      {AccountIdentity("ci", "build"), Target{Resource: "pods", Subresource: "exec", Namespace: "ci"}, "create", ""},
		"group":                     {o.GroupIdentity("devs"), pods, "get", "global-default"},
		"group of masters":          {o.GroupIdentity("system:masters"), pods, "get", "exempt"},
		"group of accounts":         {o.GroupIdentity("system:serviceaccounts:kube-system"), pods, "get", "kube-system-service-accounts"},
	} {
		t.Run(name, func(t *testing.T) {
			f := o.Fall(&c.who, &c.target, c.verb)
			if c.want == "" {
				if f.Schema != nil || !strings.Contains(f.Bypass, "pods/exec") {
					t.Errorf("got %+v", f)
				}
				return
			}
			if f.Schema == nil || f.Schema.Name != c.want || f.StandsOut {
				t.Errorf("want %s, got %+v", c.want, f)
			}
		})
	}
}

// TestIdentity gives everybody the groups that the API server gives them
// (k8s.io/apiserver/pkg/authentication/serviceaccount, UserInfo).
func TestIdentity(t *testing.T) {
	got, want := AccountIdentity("ops", "robot"), serviceaccount.UserInfo("ops", "robot", "")
	if got.User != want.GetName() || !slices.Equal(got.Groups, append(want.GetGroups(), user.AllAuthenticated)) || got.Label != "service account ops/robot" {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if anonymous := UserIdentity(user.Anonymous); !slices.Equal(anonymous.Groups, []string{user.AllUnauthenticated}) {
		t.Errorf("got %+v", anonymous)
	}
	schemas := schemasOf(t, document("s", "500", "subjects: [{kind: User, user: {name: somebody}}]", getPods))
	if o := defaultsAnd(t, schemas...); o.GroupIdentity("devs").User == "somebody" {
		t.Error("a member of a group is somebody whom a schema names")
	}
}

// TestFalls puts service accounts together by namespace where all of a namespace fall
// alike, and brings those forward that fall where only what nobody thought of should.
func TestFalls(t *testing.T) {
	schemas := schemasOf(t,
		document("robots", "1000", `subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ops, name: robot}}]`, allResources)+"---\n"+
			document("own", "1100", `subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: "*"}}]`,
				`resourceRules: [{verbs: [create, delete], apiGroups: [""], resources: [pods], namespaces: [ci]}]`))
	o := defaultsAnd(t, schemas...)
	o.Schemas = slices.DeleteFunc(o.Schemas, func(s *Schema) bool { return s.Name == "service-accounts" })
	who := []Identity{
		UserIdentity("alice"), UserIdentity("bob"),
		AccountIdentity("ops", "robot"), AccountIdentity("ops", "default"), AccountIdentity("kube-system", "dns"),
		AccountIdentity("ci", "build"), AccountIdentity("ci", "default"), AccountIdentity("web", "default"),
	}
	m := o.Falls(who, Target{Resource: "pods", Own: true})
	if !slices.Equal(m.Verbs, []string{"get", "list", "watch", "create", "update", "patch", "delete"}) {
		t.Errorf("verbs %v", m.Verbs)
	}
	var got []string
	for _, row := range m.Rows {
		var falls, others []string
		for _, f := range row.Falls {
			falls = append(falls, f.Schema.Name)
		}
		for _, one := range row.Others {
			others = append(others, one.Label)
		}
		got = append(got, fmt.Sprintf("%d %v %s: %v %s", row.Count, row.StandsOut, strings.Join(slices.Compact(falls), " "), row.Namespaces, strings.Join(others, ", ")))
	}
	want := []string{
		"2 true global-default: [{web 1}] service account ops/default",
		"2 true global-default own global-default own: [{ci 2}] ",
		"2 false global-default: [] user alice, user bob",
		"1 false robots: [] service account ops/robot",
		"1 false kube-system-service-accounts: [{kube-system 1}] ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// In one namespace for all, the accounts of ci have nothing of their own.
	elsewhere := o.Falls(who, Target{Resource: "pods", Namespace: "default"})
	if len(elsewhere.Rows) != 4 || elsewhere.Rows[0].Count != 4 {
		t.Errorf("got %+v", elsewhere.Rows)
	}
}

// TestFallOpen does not say where a request falls while it is not known whether an earlier
// schema counts.
func TestFallOpen(t *testing.T) {
	schemas := schemasOf(t, "level: maybe\n"+document("s", "500", `subjects: [{kind: Group, group: {name: system:serviceaccounts}}]`, getPods))
	o := NewOrder(schemas, NewLevels(nil, false))
	who := AccountIdentity("ci", "build")
	f := o.Fall(&who, &Target{Resource: "pods", Namespace: "ci"}, "get")
	if f.Schema != nil || len(f.Missing) != 1 || !strings.Contains(f.Missing[0].Fact, "maybe") {
		t.Errorf("got %+v", f)
	}
	if f := o.Fall(&who, &Target{Resource: "pods", Namespace: "ci"}, "list"); f.Schema == nil || f.Schema.Name != "catch-all" || !f.StandsOut {
		t.Errorf("got %+v", f)
	}
	m := o.Falls([]Identity{who}, Target{Resource: "pods", Namespace: "ci"})
	if len(m.Rows) != 1 || len(m.Rows[0].Falls[0].Missing) != 1 || !m.Rows[0].StandsOut {
		t.Errorf("got %+v", m)
	}
}

// many are 5,000 service accounts of 250 namespaces, and the schemas of a busy cluster.
func many(b *testing.B) (*Order, []Identity) {
	var documents []string
	for i := range 20 {
		documents = append(documents, document(fmt.Sprintf("team-%d", i), fmt.Sprint(1000+i),
			fmt.Sprintf(`subjects: [{kind: ServiceAccount, serviceAccount: {namespace: team-%d, name: "*"}}, {kind: Group, group: {name: team-%d}}]`, i, i), allResources))
	}
	o := defaultsAnd(b, schemasOf(b, strings.Join(documents, "---\n"))...)
	var who []Identity
	for i := range 5_000 {
		who = append(who, AccountIdentity(fmt.Sprintf("team-%d", i%250), fmt.Sprintf("account-%d", i/250)))
	}
	return o, who
}

// BenchmarkFalls is to be compared with BenchmarkFallsPlain, which does no more than ask
// where each request falls.
func BenchmarkFalls(b *testing.B) {
	o, who := many(b)
	for b.Loop() {
		if m := o.Falls(who, Target{Resource: "pods", Own: true}); len(m.Rows) != 21 {
			b.Fatalf("%d rows", len(m.Rows))
		}
	}
}

func BenchmarkFallsPlain(b *testing.B) {
	o, who := many(b)
	target := Target{Resource: "pods", Own: true}
	for b.Loop() {
		for i := range who {
			for _, verb := range target.Verbs() {
				if d := target.digest(&who[i], verb); o.First(&d) == nil {
					b.Fatal("unclassified")
				}
			}
		}
	}
}

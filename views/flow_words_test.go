package views

import (
	"testing"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// TestTakes says the rules of FlowSchemas in words: the shapes that the API server's own
// have (k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap), and those that are easily misread.
func TestTakes(t *testing.T) {
	const (
		masters  = "subjects: [{kind: Group, group: {name: 'system:masters'}}]"
		everyone = "subjects: [{kind: Group, group: {name: 'system:unauthenticated'}}, {kind: Group, group: {name: 'system:authenticated'}}]"
		all      = "resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true}]"
		urls     = "nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}]"
		pods     = "verbs: [list], apiGroups: [''], resources: [pods]"
	)
	for _, c := range []struct{ rules, want string }{
		{"{" + masters + ", " + all + ", " + urls + "}", "Takes every request from members of system:masters."},
		{"{" + everyone + ", nonResourceRules: [{verbs: [get], nonResourceURLs: [/healthz, /readyz, /livez]}]}", "Takes GET of /healthz, /readyz and /livez from anyone."},
		{"{" + everyone + ", " + all + "}", "Takes every request for a resource from anyone."},
		{"{" + everyone + ", " + urls + "}", "Takes every request for another URL from anyone."},
		{
			`{subjects: [{kind: User, user: {name: 'system:kube-controller-manager'}}, {kind: User, user: {name: 'system:kube-scheduler'}}, {kind: ServiceAccount, serviceAccount: {namespace: kube-system, name: '*'}}],
			  resourceRules: [{verbs: [get, create, update], apiGroups: [coordination.k8s.io], resources: [leases], namespaces: ['*']}]}`,
			"Takes requests to get, create or update leases within a namespace from users system:kube-controller-manager and system:kube-scheduler, and service accounts in kube-system.",
		},
		{
			`{subjects: [{kind: Group, group: {name: 'system:serviceaccounts'}}], resourceRules: [{verbs: ['*'], apiGroups: [''], resources: [nodes, nodes/status], namespaces: ['*'], clusterScope: true}, {verbs: ['*'], apiGroups: [coordination.k8s.io], resources: [leases], namespaces: ['*']}]}`,
			"Takes every request for nodes and nodes/status, and every request for leases within a namespace from every service account.",
		},
		{"{subjects: [{kind: Group, group: {name: 'system:serviceaccounts:ci'}}, {kind: ServiceAccount, serviceAccount: {namespace: ci, name: '*'}}], " + all + "}", "Takes every request for a resource from service accounts in ci."},
		{"{subjects: [{kind: ServiceAccount, serviceAccount: {namespace: ci, name: runner}}], resourceRules: [{" + pods + ", clusterScope: true}]}", "Takes requests to list pods without a namespace from service account ci/runner."},
		{"{subjects: [{kind: User, user: {name: '*'}}], resourceRules: [{" + pods + ", namespaces: [a, b], clusterScope: true}]}", "Takes requests to list pods in a and b or without a namespace from anyone."},
		{"{subjects: [{kind: Group, group: {name: '*'}}], resourceRules: [{" + pods + ", namespaces: [a]}]}", "Takes requests to list pods in a from anyone."},
		{"{subjects: [{kind: Group, group: {name: 'system:authenticated'}}], resourceRules: [{" + pods + "}]}", "Takes requests to list pods in no namespace at all from everyone who is authenticated."},
		{"{subjects: [{kind: User, user: {name: a}}], resourceRules: [{verbs: ['*'], apiGroups: [batch], resources: ['*'], namespaces: ['*'], clusterScope: true}]}", "Takes every request for every resource of batch from user a."},
		{"{subjects: [{kind: User, group: {name: a}}], nonResourceRules: [{verbs: [create], nonResourceURLs: [/in]}]}", "Takes create of /in from nobody."},
		{"{" + masters + "}", "Takes nothing from members of system:masters."},
	} {
		fs := &flowcontrolv1.FlowSchema{Spec: *read(t, "rules: ["+c.rules+"]", &flowcontrolv1.FlowSchemaSpec{})}
		if got := takes(fs).String(); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.rules, got, c.want)
		}
	}
}

func TestTakesManyRules(t *testing.T) {
	rule := flowcontrolv1.PolicyRulesWithSubjects{Subjects: []flowcontrolv1.Subject{{Kind: "User", User: &flowcontrolv1.UserSubject{Name: "a"}}}}
	fs := &flowcontrolv1.FlowSchema{}
	for n, want := range map[int]string{
		0: "Takes nothing, for it has no rules.",
		2: "Takes nothing from user a; and nothing from user a.",
		4: "Takes nothing from user a; and nothing from user a; and nothing from user a; and what 1 more rule says.",
		9: "Takes nothing from user a; and nothing from user a; and nothing from user a; and what 6 more rules say.",
	} {
		fs.Spec.Rules = nil
		for range n {
			fs.Spec.Rules = append(fs.Spec.Rules, rule)
		}
		if got := takes(fs).String(); got != want {
			t.Errorf("%d rules: %s, want %s", n, got, want)
		}
	}
}

// Package live holds the source of snapshots that follows a cluster to a real API server.
package live

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

const (
	teamA = `apiVersion: v1
kind: Namespace
metadata: {name: team-a, labels: {env: prod}}`
	hook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://guard.example.com"}
  rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [nothings]}]`
	policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  paramKind: {apiVersion: example.com/v1, kind: Limit}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "true"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limits-prod}
spec: {policyName: limits, validationActions: [Deny], paramRef: {name: max, parameterNotFoundAction: Deny}}`
	mutation = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{}"}}]`
	definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits, singular: limit, listKind: LimitList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}`
	parameter = `apiVersion: example.com/v1
kind: Limit
metadata: {name: max, namespace: team-a}
max: 3`
	readers = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [namespaces], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]`
)

func TestLive(t *testing.T) {
	w := start(t)
	source := w.watch(t, "")
	s := eventually(t, source, "everything", synced)
	if len(s.About.Gaps) > 1 || s.About.Source != "cluster real" || s.About.Stale != "" || s.Facts.Authorizer == nil {
		t.Errorf("about is %+v", s.About)
	}
	for _, step := range []struct {
		name string
		test func(*testing.T, *world, cluster.Source)
	}{
		{"namespaces", namespaces}, {"policies", policies}, {"parameters", parameters},
		{"flow control", flowControl}, {"identities", identities},
		{"forbidden", forbidden}, {"authorizer", authorization},
		{"population", population}, {"content of the population", content}, {"refused population", refused}, {"population after an outage", cutOff}, {"silent aggregated API", silentAPI}, {"outage", outage}, {"once", once},
	} {
		t.Run(step.name, func(t *testing.T) { step.test(t, w, source) })
	}
}

func namespaces(t *testing.T, w *world, source cluster.Source) {
	w.apply(t, teamA)
	label := func(value string) func(*cluster.Snapshot) bool {
		return func(s *cluster.Snapshot) bool {
			ns, presence := s.Facts.Namespaces.Namespace("team-a")
			return presence == scope.Present && ns.Labels["env"] == value
		}
	}
	eventually(t, source, "a new namespace", label("prod"))
	w.apply(t, strings.Replace(teamA, "prod", "test", 1))
	s := eventually(t, source, "a new label", label("test"))
	if _, presence := s.Facts.Namespaces.Namespace("nowhere"); presence != scope.Absent {
		t.Errorf("presence of a missing namespace is %v", presence)
	}
}

func policies(t *testing.T, w *world, source cluster.Source) {
	w.apply(t, hook+"\n---\n"+mutation)
	eventually(t, source, "new policies", func(s *cluster.Snapshot) bool {
		return names(s) == "MutatingAdmissionPolicy/team ValidatingWebhookConfiguration/guard/guard.example.com"
	})
	w.delete(t, hook+"\n---\n"+mutation)
	eventually(t, source, "no policies", func(s *cluster.Snapshot) bool { return names(s) == "" })
}

func parameters(t *testing.T, w *world, source cluster.Source) {
	known := func(s *cluster.Snapshot) bool {
		_, ok := s.Facts.Resources.ForKind(limit)
		return ok
	}
	presence := func(s *cluster.Snapshot) scope.Presence {
		_, presence, _ := s.Facts.Params.Param(limit, "team-a", "max")
		return presence
	}
	w.apply(t, policy)
	if known(eventually(t, source, "the policy", func(s *cluster.Snapshot) bool { return names(s) == "ValidatingAdmissionPolicy/limits/limits-prod" })) {
		t.Error("the kind of the parameters is known before it is defined")
	}
	w.apply(t, definition)
	s := eventually(t, source, "the definition", known)
	if r, ok := s.Facts.Resources.ForKind(limit.GroupKind().WithVersion("v1beta1")); !ok || r.Served {
		t.Errorf("the version that is not served is %+v", r)
	}
	w.apply(t, parameter)
	s = eventually(t, source, "the parameter", func(s *cluster.Snapshot) bool { return presence(s) == scope.Present })
	if !synced(s) {
		t.Errorf("still syncing %v", s.About.Syncing)
	}
	w.delete(t, parameter)
	eventually(t, source, "no parameter", func(s *cluster.Snapshot) bool { return presence(s) == scope.Absent })
	w.delete(t, definition)
	eventually(t, source, "no definition", func(s *cluster.Snapshot) bool { return !known(s) })
	w.delete(t, policy)
	eventually(t, source, "no policies", func(s *cluster.Snapshot) bool { return names(s) == "" })
}

func forbidden(t *testing.T, w *world, _ cluster.Source) {
	source := w.watch(t, "jane")
	s := eventually(t, source, "that nothing can be read", synced)
	gaps := strings.Join(s.About.Gaps, "\n")
	for _, want := range []string{
		"What a user may do cannot be asked",
		"Namespaces cannot be read: forbidden; the labels of namespaces are not known.",
		"ValidatingAdmissionPolicies cannot be read: forbidden; policies of this kind are not shown.",
		"CustomResourceDefinitions cannot be read: forbidden;",
		"FlowSchemas cannot be read: forbidden; which of them a request falls in is not known.",
		"ServiceAccounts cannot be read: forbidden;",
	} {
		if !strings.Contains(gaps, want) {
			t.Errorf("gaps are\n%s\nwant %s", gaps, want)
		}
	}
	if _, presence := s.Facts.Namespaces.Namespace("default"); presence != scope.NotKnown {
		t.Errorf("presence of a namespace is %v", presence)
	}
	if flow.OrderOf(s.Policies.Policies()) != nil {
		t.Error("there is an order of FlowSchemas that cannot be read")
	}
	w.apply(t, readers)
	eventually(t, source, "the namespaces", func(s *cluster.Snapshot) bool {
		_, presence := s.Facts.Namespaces.Namespace("default")
		return presence == scope.Present && !strings.Contains(strings.Join(s.About.Gaps, ""), "Namespaces cannot")
	})
}

func authorization(t *testing.T, _ *world, source cluster.Source) {
	for name, want := range map[string]authorizer.Decision{"jane": authorizer.DecisionAllow, "joe": authorizer.DecisionNoOpinion} {
		decision, reason, err := source.Snapshot().Facts.Authorizer.Authorize(t.Context(), authorizer.AttributesRecord{
			User: &user.DefaultInfo{Name: name}, Verb: "list", APIVersion: "v1", Resource: "namespaces", ResourceRequest: true,
		})
		if decision != want || err != nil {
			t.Errorf("%s: decision is %v (%s), error %v", name, decision, reason, err)
		}
	}
}

func outage(t *testing.T, w *world, source cluster.Source) {
	w.apply(t, hook)
	eventually(t, source, "the policy", func(s *cluster.Snapshot) bool { return names(s) != "" })
	w.proxy.cut()
	s := eventually(t, source, "that nobody answers", func(s *cluster.Snapshot) bool { return s.About.Stale != "" })
	if names(s) == "" || !strings.Contains(s.About.Stale, "connection refused") {
		t.Errorf("policies are %q, and %s", names(s), s.About.Stale)
	}
	w.delete(t, hook)
	time.Sleep(10 * time.Second) // Long enough for the waits between attempts to grow.
	w.proxy.restore(t)
	back := time.Now()
	eventually(t, source, "what happened meanwhile", func(s *cluster.Snapshot) bool { return names(s) == "" && s.About.Stale == "" })
	t.Logf("seen %v after the server came back", time.Since(back).Round(time.Millisecond))
}

func once(t *testing.T, w *world, _ cluster.Source) {
	w.apply(t, hook)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := cluster.ReadOnce(ctx, w.getter(""))
	if err != nil {
		t.Fatal(err)
	}
	if !synced(s) || names(s) != "ValidatingWebhookConfiguration/guard/guard.example.com" {
		t.Errorf("policies are %q, about is %+v", names(s), s.About)
	}
}

package cluster

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

const (
	teamA = `
apiVersion: v1
kind: Namespace
metadata: {name: team-a, labels: {env: prod}, managedFields: [{manager: kubectl}]}`
	hook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks: [{name: pods.guard.example.com, rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}]`
	policy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "true"}]`
	binding = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limits-prod}
spec: {policyName: limits, validationActions: [Deny], paramRef: {name: max, namespace: team-a, parameterNotFoundAction: Deny}}`
	param = `
apiVersion: v1
kind: ConfigMap
metadata: {name: max, namespace: team-a}
data: {max: "3"}`
	crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.example.com, annotations: {note: long}}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
status: {conditions: [{type: Established, status: "True"}]}`
)

var configMaps = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}

func full(t *testing.T) *fakeCluster {
	return newFakeCluster(t, teamA, hook, policy, binding, param, crd)
}

func TestLive(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "policies", ids(s), "ValidatingAdmissionPolicy/limits/limits-prod", "ValidatingWebhookConfiguration/guard/pods.guard.example.com")
		wantAll(t, "gaps", s.About.Gaps)
		wantAll(t, "problems", problems(s))
		a := s.About
		if a.Source != "cluster fake" || a.Kind != Live || a.Version != "v1.37.2" || a.Stale != "" || len(a.Syncing) > 0 {
			t.Errorf("about is %+v", a)
		}
		if originOf(s, ids(s)[0]) != "cluster fake" || s.Facts.Authorizer == nil || s.Facts.Version.Minor() != 37 {
			t.Errorf("origin, authorizer or version are missing")
		}
		wantPresence(t, s, "team-a", scope.Present)
		wantPresence(t, s, "team-b", scope.Absent)
		if ns, _ := s.Facts.Namespaces.Namespace("team-a"); ns.ManagedFields != nil {
			t.Error("managedFields are kept")
		}
		obj, presence, _ := s.Facts.Params.Param(configMaps, "team-a", "max")
		if presence != scope.Present || obj.GetObjectKind().GroupVersionKind() != configMaps {
			t.Errorf("the parameter is %v, presence %v", obj, presence)
		}
		if all, known, _ := s.Facts.Params.ListParams(configMaps, "team-a", labels.Everything()); len(all) != 1 || !known {
			t.Errorf("parameters are %v, known %v", all, known)
		}
		scale, ok := s.Facts.Resources.Find(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "scale")
		if !ok || scale.Kind.Kind != "Scale" || scale.Kind.Group != "autoscaling" {
			t.Errorf("the scale of deployments is %+v", scale)
		}
		if r, ok := s.Facts.Resources.ForKind(schema.GroupVersionKind{Group: "example.com", Version: "v1beta1", Kind: "Limit"}); !ok || r.Served {
			t.Errorf("the version that is not served is %+v", r)
		}
	}, full)
}

func TestLiveFollowsChanges(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		first := l.Snapshot()
		pass(time.Minute)
		changes, cancel := l.Subscribe()
		defer cancel()
		f.update(strings.Replace(teamA, "env: prod", "env: test", 1))
		<-changes
		second := l.Snapshot()
		if got := second.Namespaces[0].Labels["env"]; got != "test" {
			t.Errorf("env is %s", got)
		}
		if got := first.Namespaces[0].Labels["env"]; got != "prod" {
			t.Errorf("the first snapshot changed: env is %s", got)
		}
		if second.Policies != first.Policies || second.Facts.Resources != first.Facts.Resources {
			t.Error("what did not change was made anew")
		}
		if age := time.Since(second.About.Read); age > time.Second {
			t.Errorf("the snapshot is %v old", age)
		}

		f.delete(hook)
		pass(time.Second)
		wantAll(t, "policies", ids(l.Snapshot()), "ValidatingAdmissionPolicy/limits/limits-prod")
		f.create(strings.Replace(hook, "name: guard", "name: again", 1))
		pass(time.Second)
		wantAll(t, "policies", ids(l.Snapshot()), "ValidatingAdmissionPolicy/limits/limits-prod", "ValidatingWebhookConfiguration/again/pods.guard.example.com")
	}, full)
}

func TestLiveFollowsParams(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		f.delete(param)
		pass(time.Second)
		if _, presence, _ := l.Snapshot().Facts.Params.Param(configMaps, "team-a", "max"); presence != scope.Absent {
			t.Errorf("presence of a deleted parameter is %v", presence)
		}
		f.delete(policy)
		pass(time.Second)
		_, presence, reason := l.Snapshot().Facts.Params.Param(configMaps, "team-a", "max")
		if presence != scope.NotKnown || reason != "no policy takes them, so they are not read" {
			t.Errorf("presence without a policy is %v: %s", presence, reason)
		}
		for key := range l.watches {
			if key.param {
				t.Errorf("%v is still watched", key)
			}
		}
		f.create(strings.Replace(policy, "kind: ConfigMap", "kind: Secret", 1))
		pass(time.Second)
		_, presence, reason = l.Snapshot().Facts.Params.Param(schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, "a", "b")
		if presence != scope.NotKnown || reason != secretsReason {
			t.Errorf("presence of a Secret is %v: %s", presence, reason)
		}
	}, full)
}

// A custom resource can be a parameter as soon as its definition is established, whatever discovery says.
func TestLiveCustomParams(t *testing.T) {
	limit := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Limit"}
	custom := strings.Replace(policy, "apiVersion: v1, kind: ConfigMap", "apiVersion: example.com/v1, kind: Limit", 1)
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		if _, known := l.Snapshot().Facts.Resources.ForKind(limit); known {
			t.Fatal("the kind is known before its definition")
		}
		f.create(strings.Replace(crd, `status: "True"`, `status: "False"`, 1))
		pass(time.Second)
		if _, known := l.Snapshot().Facts.Resources.ForKind(limit); known {
			t.Error("a definition that is not established counts")
		}
		f.update(crd)
		f.create("{apiVersion: example.com/v1, kind: Limit, metadata: {name: prod, namespace: a}}")
		pass(time.Second)
		if _, presence, reason := l.Snapshot().Facts.Params.Param(limit, "a", "prod"); presence != scope.Present {
			t.Errorf("presence is %v: %s", presence, reason)
		}
		f.delete(crd)
		pass(time.Second)
		if _, known := l.Snapshot().Facts.Resources.ForKind(limit); known {
			t.Error("the kind is known after its definition")
		}
	}, func(t *testing.T) *fakeCluster { return newFakeCluster(t, custom, binding) })
}

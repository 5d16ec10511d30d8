package cluster

import (
	"errors"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"

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
		if s.Policies.Policies()[0].Origin != "cluster fake" || s.Facts.Authorizer == nil || s.Facts.Version.Minor() != 37 {
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
		time.Sleep(time.Minute)
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
		time.Sleep(time.Second)
		wantAll(t, "policies", ids(l.Snapshot()), "ValidatingAdmissionPolicy/limits/limits-prod")
		f.create(strings.Replace(hook, "name: guard", "name: again", 1))
		time.Sleep(time.Second)
		wantAll(t, "policies", ids(l.Snapshot()), "ValidatingAdmissionPolicy/limits/limits-prod", "ValidatingWebhookConfiguration/again/pods.guard.example.com")
	}, full)
}

func TestLiveFollowsParams(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		f.delete(param)
		time.Sleep(time.Second)
		if _, presence, _ := l.Snapshot().Facts.Params.Param(configMaps, "team-a", "max"); presence != scope.Absent {
			t.Errorf("presence of a deleted parameter is %v", presence)
		}
		f.delete(policy)
		time.Sleep(time.Second)
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
		time.Sleep(time.Second)
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
		time.Sleep(time.Second)
		if _, known := l.Snapshot().Facts.Resources.ForKind(limit); known {
			t.Error("a definition that is not established counts")
		}
		f.update(crd)
		f.create("{apiVersion: example.com/v1, kind: Limit, metadata: {name: prod, namespace: a}}")
		time.Sleep(time.Second)
		if _, presence, reason := l.Snapshot().Facts.Params.Param(limit, "a", "prod"); presence != scope.Present {
			t.Errorf("presence is %v: %s", presence, reason)
		}
		f.delete(crd)
		time.Sleep(time.Second)
		if _, known := l.Snapshot().Facts.Resources.ForKind(limit); known {
			t.Error("the kind is known after its definition")
		}
	}, func(t *testing.T) *fakeCluster { return newFakeCluster(t, custom, binding) })
}

func TestLiveForbidden(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "gaps", s.About.Gaps,
			"What a user may do cannot be asked (creating SubjectAccessReviews is not allowed); match conditions that check it stay open.",
			"CustomResourceDefinitions cannot be read: forbidden; which versions custom resources have without serving them, and how they are converted, is not known.",
			"Namespaces cannot be read: forbidden; the labels of namespaces are not known.",
			"ValidatingWebhookConfigurations cannot be read: forbidden; policies of this kind are not shown.",
			"configmaps cannot be read: forbidden; whether bindings find their parameters is not known.")
		if len(s.About.Syncing) > 0 || s.About.Stale != "" || s.Facts.Authorizer != nil {
			t.Errorf("about is %+v, authorizer %v", s.About, s.Facts.Authorizer)
		}
		wantPresence(t, s, "team-a", scope.NotKnown)
		_, presence, reason := s.Facts.Params.Param(configMaps, "team-a", "max")
		if presence != scope.NotKnown || reason != "they cannot be read: forbidden" {
			t.Errorf("presence of the parameter is %v: %s", presence, reason)
		}
		if _, ok := s.Facts.Resources.ForKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Limit"}); !ok {
			t.Error("a custom resource that discovery lists is not known")
		}

		f.set(func() { clear(f.failing); f.allowed = true })
		time.Sleep(2 * time.Minute)
		s = l.Snapshot()
		wantAll(t, "gaps", s.About.Gaps)
		wantPresence(t, s, "team-a", scope.Present)
		if len(ids(s)) != 2 || s.Facts.Authorizer == nil {
			t.Errorf("policies are %q", ids(s))
		}

		f.set(func() { f.failing["namespaces"] = forbidden("namespaces") })
		l.watchOf(namespaceKind).attempted(t.Context(), forbidden("namespaces"))
		time.Sleep(time.Second)
		wantGap(t, l.Snapshot(), "Namespaces cannot be watched: forbidden;")
		wantPresence(t, l.Snapshot(), "team-a", scope.Present)
	}, func(t *testing.T) *fakeCluster {
		f := full(t)
		f.serve("example.com/v1", metav1.APIResource{Name: "limits", Kind: "Limit", Namespaced: true})
		for _, r := range []string{"namespaces", "customresourcedefinitions", "configmaps", "validatingwebhookconfigurations"} {
			f.failing[r] = forbidden(r)
		}
		f.allowed = false
		return f
	})
}

func TestLiveMissingKinds(t *testing.T) {
	old := strings.Replace(policy, "admissionregistration.k8s.io/v1", "admissionregistration.k8s.io/v1beta1", 1)
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "policies", ids(s), "ValidatingAdmissionPolicy/limits")
		wantGap(t, s, "The API server does not serve MutatingAdmissionPolicies; there are none to show.")
		if len(s.About.Syncing) > 0 {
			t.Errorf("still syncing %v", s.About.Syncing)
		}
		f.drop(validatingPolicies.resource)
		f.serve("admissionregistration.k8s.io/v1", metav1.APIResource{Name: validatingPolicies.resource, Kind: validatingPolicies.Kind})
		f.create(strings.Replace(policy, "name: limits", "name: newer", 1))
		time.Sleep(2 * time.Minute)
		wantAll(t, "policies", ids(l.Snapshot()), "ValidatingAdmissionPolicy/newer")
	}, func(t *testing.T) *fakeCluster {
		f := newFakeCluster(t, old)
		for _, k := range []kind{validatingPolicies, mutatingPolicies, mutatingBindings} {
			f.drop(k.resource)
		}
		f.serve("admissionregistration.k8s.io/v1beta1", metav1.APIResource{Name: validatingPolicies.resource, Kind: validatingPolicies.Kind})
		return f
	})
}

func TestLiveUnreachable(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		before := l.Snapshot()
		f.set(func() { f.discovery = errors.New("nobody answers") })
		time.Sleep(2 * time.Minute)
		s := l.Snapshot()
		if !strings.HasPrefix(s.About.Stale, "Changes have not been seen since ") || !strings.HasSuffix(s.About.Stale, "nobody answers.") {
			t.Errorf("stale is %q", s.About.Stale)
		}
		wantAll(t, "policies", ids(s), ids(before)...)
		f.set(func() { f.discovery = nil })
		time.Sleep(10 * time.Second)
		if stale := l.Snapshot().About.Stale; stale != "" {
			t.Errorf("stale is %q", stale)
		}

		w := l.watchOf(namespaceKind)
		w.attempted(t.Context(), unreachable)
		time.Sleep(time.Second)
		if stale := l.Snapshot().About.Stale; stale == "" {
			t.Error("a watch that fails does not make the snapshot stale")
		}
		w.attempted(t.Context(), nil)
		time.Sleep(time.Second)
		if stale := l.Snapshot().About.Stale; stale != "" {
			t.Errorf("stale is %q", stale)
		}
	}, full)
}

// When an aggregated API server is down, its resources are those that it had before.
func TestLivePartOfDiscoveryFails(t *testing.T) {
	metrics := schema.GroupVersion{Group: "metrics.k8s.io", Version: "v1"}
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		f.drop("nodes")
		f.set(func() {
			f.discovery = &discovery.ErrGroupDiscoveryFailed{Groups: map[schema.GroupVersion]error{metrics: errors.New("no endpoints")}}
		})
		time.Sleep(2 * time.Minute)
		s := l.Snapshot()
		wantAll(t, "gaps", s.About.Gaps, "The resources of metrics.k8s.io/v1 cannot be listed: no endpoints.")
		if _, ok := s.Facts.Resources.ForKind(metrics.WithKind("NodeMetrics")); !ok {
			t.Error("the resources are forgotten")
		}
	}, func(t *testing.T) *fakeCluster {
		f := full(t)
		f.serve(metrics.String(), metav1.APIResource{Name: "nodes", Kind: "NodeMetrics"})
		return f
	})
}

// What a newer API server sends and this program does not know is said, and does not stop anything.
func TestLiveUnknownFields(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "policies", ids(s), "ValidatingWebhookConfiguration/guard/pods.guard.example.com")
		got := problems(s)
		if len(got) != 2 || !strings.HasPrefix(got[0], "cluster fake: ValidatingWebhookConfiguration broken: webhooks") ||
			!strings.HasPrefix(got[1], "cluster fake: ValidatingWebhookConfiguration guard: ") {
			t.Errorf("problems are %q", got)
		}
	}, func(t *testing.T) *fakeCluster {
		return newFakeCluster(t, strings.Replace(hook, "webhooks: [{", "webhooks: [{colour: blue, ", 1),
			"{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: broken}, webhooks: text}")
	})
}

func TestLiveDevelopmentVersion(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantGap(t, s, "The API server says that its version is v0.0.0-master+$Format:%H$; it is taken for Kubernetes 1.37.2.")
		if s.Facts.Version.Minor() != 37 {
			t.Errorf("version is %v", s.Facts.Version)
		}
	}, func(t *testing.T) *fakeCluster {
		f := full(t)
		f.version = "v0.0.0-master+$Format:%H$"
		return f
	})
}

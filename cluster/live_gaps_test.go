package cluster

import (
	"errors"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/ambit-k8s/ambit/scope"
)

// policyKindNamed is a kind of admission policy that a test drops or serves otherwise.
func policyKindNamed(name string) scope.ObjectKind {
	k, ok := kindOf(schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: name})
	if !ok {
		panic("there is no kind " + name)
	}
	return k
}

var (
	validatingPolicies = policyKindNamed("ValidatingAdmissionPolicy")
	mutatingPolicies   = policyKindNamed("MutatingAdmissionPolicy")
	mutatingBindings   = policyKindNamed("MutatingAdmissionPolicyBinding")
)

func TestLiveForbidden(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "gaps", s.About.Gaps,
			"What a user may do cannot be asked (creating SubjectAccessReviews is not allowed); match conditions that check it stay open.",
			"ConfigMaps named kyverno cannot be read: forbidden; what Kyverno filters, and for which namespaces it is called at all, is not known.",
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
		pass(2 * time.Minute)
		s = l.Snapshot()
		wantAll(t, "gaps", s.About.Gaps)
		wantPresence(t, s, "team-a", scope.Present)
		if len(ids(s)) != 2 || s.Facts.Authorizer == nil {
			t.Errorf("policies are %q", ids(s))
		}

		f.set(func() { f.failing["namespaces"] = forbidden("namespaces") })
		l.watchOf(namespaceKind).attempted(t.Context(), forbidden("namespaces"))
		pass(time.Second)
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
		f.drop(validatingPolicies.Resource)
		f.serve("admissionregistration.k8s.io/v1", metav1.APIResource{Name: validatingPolicies.Resource, Kind: validatingPolicies.Kind})
		f.create(strings.Replace(policy, "name: limits", "name: newer", 1))
		pass(2 * time.Minute)
		wantAll(t, "policies", ids(l.Snapshot()), "ValidatingAdmissionPolicy/newer")
	}, func(t *testing.T) *fakeCluster {
		f := newFakeCluster(t, old)
		for _, k := range []scope.ObjectKind{validatingPolicies, mutatingPolicies, mutatingBindings} {
			f.drop(k.Resource)
		}
		f.serve("admissionregistration.k8s.io/v1beta1", metav1.APIResource{Name: validatingPolicies.Resource, Kind: validatingPolicies.Kind})
		return f
	})
}

func TestLiveUnreachable(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		before := l.Snapshot()
		f.set(func() { f.discovery = errors.New("nobody answers") })
		pass(2 * time.Minute)
		s := l.Snapshot()
		if !strings.HasPrefix(s.About.Stale, "Changes have not been seen since ") || !strings.HasSuffix(s.About.Stale, "nobody answers.") {
			t.Errorf("stale is %q", s.About.Stale)
		}
		wantAll(t, "policies", ids(s), ids(before)...)
		f.set(func() { f.discovery = nil })
		pass(10 * time.Second)
		if stale := l.Snapshot().About.Stale; stale != "" {
			t.Errorf("stale is %q", stale)
		}

		w := l.watchOf(namespaceKind)
		w.attempted(t.Context(), unreachable)
		pass(time.Second)
		if stale := l.Snapshot().About.Stale; stale == "" {
			t.Error("a watch that fails does not make the snapshot stale")
		}
		w.attempted(t.Context(), nil)
		pass(time.Second)
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
		pass(2 * time.Minute)
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

// While a list comes in, the snapshot says how many objects there are already.
func TestLiveProgress(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		w := l.watchOf(namespaceKind)
		for _, name := range []string{"a", "b"} {
			u := &unstructured.Unstructured{}
			u.SetName(name)
			if _, err := w.transform(u); err != nil {
				t.Fatal(err)
			}
		}
		pass(time.Second)
		s := l.Snapshot()
		if len(s.About.Syncing) != 1 || s.About.Syncing[0] != (Progress{"Namespaces", 2}) {
			t.Errorf("syncing %v", s.About.Syncing)
		}
		wantPresence(t, s, "team-a", scope.NotKnown)
	}, func(t *testing.T) *fakeCluster {
		f := full(t)
		f.failing["namespaces"] = unreachable
		return f
	})
}

// An attempt that fails again is no news.
func TestLiveSameFailure(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		before := l.Snapshot()
		pass(30 * time.Second)
		if l.Snapshot() != before {
			t.Errorf("there is a new snapshot:\n%+v\n%+v", before.About, l.Snapshot().About)
		}
	}, func(t *testing.T) *fakeCluster {
		f := full(t)
		f.failing["namespaces"] = unreachable
		return f
	})
}

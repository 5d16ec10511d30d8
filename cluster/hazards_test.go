package cluster

import (
	"errors"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// What could not be read is known by its kind, so that a search for hazards falls silent for nothing else. What the API
// server does not serve is no such thing: there is none of it.
func TestHazardInputKnowsWhatIsUnread(t *testing.T) {
	metrics := schema.GroupVersion{Group: "metrics.k8s.io", Version: "v1"}
	for name, test := range map[string]struct {
		prepare      func(f *fakeCluster)
		unread       []string
		undiscovered []schema.GroupVersion
	}{
		"everything is read": {prepare: func(*fakeCluster) {}},
		"forbidden": {
			prepare: func(f *fakeCluster) {
				for _, r := range []string{"customresourcedefinitions", "configmaps", mutatingBindings.Resource} {
					f.failing[r] = forbidden(r)
				}
			},
			unread: []string{"ConfigMap", "CustomResourceDefinition.apiextensions.k8s.io", "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io"},
		},
		"still being read": {
			prepare: func(f *fakeCluster) { f.failing["namespaces"] = unreachable },
			unread:  []string{"Namespace"},
		},
		"not served": {prepare: func(f *fakeCluster) { f.drop(mutatingPolicies.Resource); f.drop(mutatingBindings.Resource) }},
		"not understood": {
			prepare: func(f *fakeCluster) {
				f.create("{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: broken}, webhooks: text}")
			},
			unread: []string{"ValidatingWebhookConfiguration.admissionregistration.k8s.io"},
		},
		"subject access reviews are not answered": {prepare: func(f *fakeCluster) { f.allowed = false }},
		"a part of discovery fails": {
			prepare: func(f *fakeCluster) {
				f.discovery = &discovery.ErrGroupDiscoveryFailed{Groups: map[schema.GroupVersion]error{metrics: errors.New("no endpoints")}}
			},
			undiscovered: []schema.GroupVersion{metrics},
		},
	} {
		t.Run(name, func(t *testing.T) {
			onFake(t, func(t *testing.T, _ *fakeCluster, l *live) {
				in := l.Snapshot().HazardInput()
				var unread []string
				for _, kind := range in.Unread {
					unread = append(unread, kind.String())
				}
				slices.Sort(unread)
				if !in.Complete || !slices.Equal(unread, test.unread) || !slices.Equal(in.Undiscovered, test.undiscovered) {
					t.Errorf("complete: %t, but for %q and %v", in.Complete, unread, in.Undiscovered)
				}
			}, func(t *testing.T) *fakeCluster {
				f := full(t)
				test.prepare(f)
				return f
			})
		})
	}
}

// Manifests may be a part of what will be applied.
func TestManifestsAreNotComplete(t *testing.T) {
	unpack(t, guard)
	if in := load(t, "policies").HazardInput(); in.Complete {
		t.Error("manifests are taken for a whole cluster")
	}
}

package cluster

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	kyvernoPolicy = `
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: owner}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "true"}]`
	kyvernoConfig = `
apiVersion: v1
kind: ConfigMap
metadata: {name: kyverno, namespace: policies}
data: {resourceFilters: "[Event,*,*]"}`
	policiesCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: validatingpolicies.policies.kyverno.io}
spec:
  group: policies.kyverno.io
  scope: Cluster
  names: {kind: ValidatingPolicy, plural: validatingpolicies}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
status: {conditions: [{type: Established, status: "True"}]}`
)

var (
	configMapKind    = schema.GroupKind{Kind: "ConfigMap"}
	kyvernoPolicies  = metav1.APIResource{Name: "validatingpolicies", Kind: "ValidatingPolicy"}
	kyvernoServed    = "policies.kyverno.io/v1"
	withoutKyverno   = func(t *testing.T) *fakeCluster { return plainCluster(t, teamA, kyvernoConfig, param) }
	kyvernoInstalled = func(t *testing.T) *fakeCluster {
		f := plainCluster(t, teamA, kyvernoConfig, param, kyvernoPolicy)
		f.serve(kyvernoServed, kyvernoPolicies)
		return f
	}
)

// plainCluster is a cluster that serves no custom kind of policy.
func plainCluster(t *testing.T, manifests ...string) *fakeCluster {
	f := newFakeCluster(t, manifests...)
	for _, k := range policyKinds {
		if k.Custom {
			f.drop(k.Resource)
		}
	}
	return f
}

// The policies of an add-on come with its definitions and go with them.
func TestLiveCustomPolicies(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		s := l.Snapshot()
		wantAll(t, "policies", ids(s))
		wantAll(t, "gaps", s.About.Gaps)
		f.create(policiesCRD)
		f.serve(kyvernoServed, kyvernoPolicies)
		f.create(kyvernoPolicy)
		pass(3 * time.Second)
		s = l.Snapshot()
		wantAll(t, "policies", ids(s), "ValidatingPolicy/owner")
		wantAll(t, "gaps", s.About.Gaps)
		wantCount(t, s, "ValidatingPolicies", 1)
		wantCount(t, s, "ConfigMaps named kyverno", 1)
		f.delete(policiesCRD)
		f.drop(kyvernoPolicies.Name)
		pass(3 * time.Second)
		s = l.Snapshot()
		wantAll(t, "policies", ids(s))
		wantAll(t, "gaps", s.About.Gaps)
	}, withoutKyverno)
}

// Of ConfigMaps the one of the name is read, in whatever namespace it is.
func TestLiveNamedObjects(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		named := func() []string {
			var names []string
			for _, o := range l.parts.policies.value.objects.Of[configMapKind] {
				m := o.(metav1.Object)
				names = append(names, m.GetNamespace()+"/"+m.GetName())
			}
			return names
		}
		wantAll(t, "ConfigMaps", named(), "policies/kyverno")
		f.create(strings.Replace(kyvernoConfig, "name: kyverno", "name: other", 1))
		f.delete(kyvernoConfig)
		pass(time.Second)
		wantAll(t, "ConfigMaps", named())
	}, kyvernoInstalled)
}

// Who has no add-on need not allow that its ConfigMap is read; who has one misses it aloud.
func TestLiveNamedForbidden(t *testing.T) {
	for _, tc := range []struct {
		name    string
		cluster func(*testing.T) *fakeCluster
		gaps    []string
	}{
		{"without Kyverno", withoutKyverno, nil},
		{"with Kyverno", kyvernoInstalled, []string{
			"ConfigMaps named kyverno cannot be read: forbidden; what Kyverno filters, and for which namespaces it is called at all, is not known.",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onFake(t, func(t *testing.T, _ *fakeCluster, l *live) {
				wantAll(t, "gaps", l.Snapshot().About.Gaps, tc.gaps...)
				if complete := l.complete(configMapKind); complete != (tc.gaps == nil) {
					t.Errorf("complete is %v", complete)
				}
			}, func(t *testing.T) *fakeCluster {
				f := tc.cluster(t)
				f.failing["configmaps"] = forbidden("configmaps")
				return f
			})
		})
	}
}

// Policies that name kinds are compiled again when there is a new kind, and only then.
func TestLiveNewResources(t *testing.T) {
	onFake(t, func(t *testing.T, f *fakeCluster, l *live) {
		before := l.Snapshot()
		f.create(crd)
		pass(time.Second)
		after := l.Snapshot()
		if after.Policies == before.Policies || after.Facts.Resources == before.Facts.Resources {
			t.Error("the policies are those that were compiled without the new kind")
		}
		if got := l.parts.policies.value.objects.Resources; got != after.Facts.Resources {
			t.Error("the policies were compiled with other resources than those of the snapshot")
		}
		f.update(strings.Replace(crd, "note: long", "note: longer", 1))
		pass(time.Second)
		if again := l.Snapshot(); again.Policies != after.Policies || again.Facts.Resources != after.Facts.Resources {
			t.Error("a change of a definition that changes no resource compiles the policies again")
		}
	}, kyvernoInstalled)
}

// Manifests rarely have the definitions beside the policies.
func TestManifestsWithoutDefinitions(t *testing.T) {
	namespaced := strings.NewReplacer("policies.kyverno.io/v1", "policies.kyverno.io/v1beta1", "kind: ValidatingPolicy", "kind: NamespacedValidatingPolicy").Replace(kyvernoPolicy)
	newer := strings.NewReplacer("policies.kyverno.io/v1", "policies.kyverno.io/v7", "name: owner", "name: newer").Replace(kyvernoPolicy)
	text := strings.Join([]string{kyvernoPolicy, namespaced, newer, teamA, kyvernoConfig, param, policy, binding}, "\n---")
	s, err := LoadManifests(t.Context(), []string{"-"}, false, strings.NewReader(text), Options{Namespace: "team-a", Population: true})
	if err != nil {
		t.Fatal(err)
	}
	wantAll(t, "policies", ids(s), "ValidatingAdmissionPolicy/limits/limits-prod", "NamespacedValidatingPolicy/team-a/owner", "ValidatingPolicy/owner")
	wantAll(t, "problems", problems(s),
		"standard input, document 3, line 16: policies.kyverno.io/v7 ValidatingPolicy is not used: Ambit does not know this version; write it as policies.kyverno.io/v1.")
	for kind, want := range map[string]bool{"ValidatingPolicy": false, "NamespacedValidatingPolicy": true} {
		r, ok := s.Facts.Resources.ForKind(schema.GroupVersionKind{Group: "policies.kyverno.io", Version: "v1beta1", Kind: kind})
		if !ok || r.Namespaced != want {
			t.Errorf("the resource of %s is %+v", kind, r)
		}
	}
	if !s.Population.Complete() || s.Population.Len() != 7 {
		t.Errorf("the population has %d objects: %+v", s.Population.Len(), s.Population.Resources)
	}
	wantCount(t, s, "ConfigMaps named kyverno", 1)
	if _, presence, _ := s.Facts.Params.Param(configMaps, "policies", "kyverno"); presence == 0 {
		t.Error("the ConfigMap is no parameter any more")
	}
}

package cluster

import (
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

const dump = `
-- objects.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: team-a, labels: {env: prod}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: team-a, labels: {app: web}}
spec: {hostNetwork: true, containers: [{name: web, image: web}]}
---
apiVersion: v1
kind: Pod
metadata: {name: here}
spec: {containers: [{name: web, image: web}]}
---
apiVersion: v1
kind: Pod
metadata: {generateName: batch-, namespace: team-a}
spec: {containers: [{name: web, image: web}]}
---
apiVersion: v1
kind: Pod
metadata: {generateName: batch-, namespace: team-a}
spec: {containers: [{name: web, image: web}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: team-a, labels: {a: nameless}}
---
apiVersion: v1
kind: Secret
metadata: {name: token, namespace: team-a}
stringData: {key: secret}
---
apiVersion: example.com/v1
kind: Limit
metadata: {name: max, namespace: team-a}
---
apiVersion: example.com/v1beta1
kind: Limit
metadata: {name: old, namespace: team-a}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: one}
---
apiVersion: example.org/v1
kind: Widget
metadata: {name: two}
---
apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
metadata: {name: asked}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader, namespace: wrong}
-- broken.yaml --
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: broken}
webhooks: text
`

// populationOf reads the population of the manifests in the current folder.
func populationOf(t *testing.T, paths ...string) *Snapshot {
	t.Helper()
	s, err := LoadManifests(t.Context(), paths, true, strings.NewReader(""), Options{Population: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestManifestPopulation(t *testing.T) {
	unpack(t, dump+limits)
	p := populationOf(t, ".").Population
	want := map[string]int{
		"namespaces": 1, "pods": 4, "secrets": 1, "limits.example.com": 1, "clusterroles.rbac.authorization.k8s.io": 1,
		"customresourcedefinitions.apiextensions.k8s.io":                 1,
		"validatingadmissionpolicies.admissionregistration.k8s.io":       1,
		"validatingadmissionpolicybindings.admissionregistration.k8s.io": 1,
	}
	got, why := map[string]int{}, map[string]string{}
	for _, r := range p.Resources {
		if r.State == Read {
			got[r.GroupResource().String()] = r.Objects
		} else {
			why[r.Resource+" "+r.Version] = string(r.State) + ": " + r.Why
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("resources are %v, want %v", got, want)
	}
	if !maps.Equal(why, map[string]string{
		"limits v1beta1": "missing: One object is left out: the CustomResourceDefinition of Limit does not serve the version v1beta1.",
		"widgets v1":     "missing: 2 objects are left out: Kubernetes 1.37.2 does not have the kind Widget, and no CustomResourceDefinition among the manifests defines it.",
	}) {
		t.Errorf("left out: %v", why)
	}
	if p.Complete() {
		t.Error("a population is complete without the objects of unknown kinds")
	}
	for _, tc := range []struct {
		resource, namespace, name string
		labels                    map[string]string
	}{
		{"namespaces", "", "team-a", map[string]string{"env": "prod", "kubernetes.io/metadata.name": "team-a"}},
		{"pods", "team-a", "web", map[string]string{"app": "web"}},
		{"pods", "default", "here", nil},
	} {
		o, ok := p.Find(schema.GroupVersionResource{Version: "v1", Resource: tc.resource}, tc.namespace, tc.name)
		if !ok || !maps.Equal(o.Labels, tc.labels) {
			t.Errorf("%s %s/%s: found %v, labels %v", tc.resource, tc.namespace, tc.name, ok, o.Labels)
		}
	}
	if _, ok := p.Find(schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}, "", "reader"); !ok {
		t.Error("a cluster-scoped object with a namespace is not found without")
	}
}

// What match conditions read comes from the documents, with the API server's defaults, and never from Secrets.
func TestManifestPopulationContent(t *testing.T) {
	unpack(t, dump+`
-- policy.yaml --
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: restarts}
webhooks:
- name: restarts.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://restarts.example.com"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods, secrets]}]
  matchConditions: [{name: always, expression: "has(object.spec) ? object.spec.restartPolicy == 'Always' : 'key' in object.data"}]
`)
	s := populationOf(t, "objects.yaml", "policy.yaml")
	r, err := coverage.NewEvaluator(coverage.Ask{}).Update(t.Context(), s.Population.Population, s.Policies.Policies(), s.Facts)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Of(0, pods); c.Included != 4 {
		t.Errorf("%+v of 4 Pods, all of which restart always by default", c)
	}
	if c := r.Of(0, secret); c.Unknown != 1 {
		t.Errorf("%+v of one Secret, whose content is not known", c)
	}
}

func TestManifestsWithoutPopulation(t *testing.T) {
	unpack(t, dump)
	if p := load(t, "objects.yaml").Population; p.Population != nil || len(p.Resources) > 0 {
		t.Errorf("population is %+v", p)
	}
}

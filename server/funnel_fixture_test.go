package server

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// shop has a webhook for pods of production that carry a team's label, and that robots do
// not meet; a second one with a broken condition; and a policy with one binding.
const shop = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {env: prod}}
---
apiVersion: v1
kind: Namespace
metadata: {name: dev, labels: {env: dev}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: pods.guard.example.com
  rules: [{operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  namespaceSelector: {matchLabels: {env: prod}}
  objectSelector: {matchExpressions: [{key: team, operator: Exists}]}
  matchConditions: [{name: no-robots, expression: "request.userInfo.username != 'robot'"}]
  failurePolicy: Fail
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {url: "https://guard.example.com"}
- name: services.guard.example.com
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [services]}]
  matchConditions: [{name: sized, expression: "object.metadata.labels['size'] == 'small'"}]
  failurePolicy: Ignore
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {url: "https://guard.example.com"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  matchConstraints:
    resourceRules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  validations: [{expression: "true"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limits-dev}
spec:
  policyName: limits
  validationActions: [Deny]
  matchResources: {namespaceSelector: {matchLabels: {env: dev}}}
`

var (
	podsResource     = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	servicesResource = schema.GroupVersionResource{Version: "v1", Resource: "services"}
)

// shopObjects are eight pods, three of them in dev, and two services.
var shopObjects = []coverage.Object{
	{Resource: podsResource, Namespace: "shop", Name: "web", Labels: map[string]string{"team": "a"}},
	{Resource: podsResource, Namespace: "shop", Name: "api", Labels: map[string]string{"team": "b"}},
	{Resource: podsResource, Namespace: "shop", Name: "bare-1"},
	{Resource: podsResource, Namespace: "shop", Name: "bare-2"},
	{Resource: podsResource, Namespace: "shop", Name: "stray", Labels: map[string]string{"app": "stray"}},
	{Resource: podsResource, Namespace: "dev", Name: "dev-1", Labels: map[string]string{"team": "a"}},
	{Resource: podsResource, Namespace: "dev", Name: "dev-2", Labels: map[string]string{"team": "a"}},
	{Resource: podsResource, Namespace: "dev", Name: "dev-3"},
	{Resource: servicesResource, Namespace: "shop", Name: "web", Labels: map[string]string{"size": "small"}},
	{Resource: servicesResource, Namespace: "shop", Name: "api"},
}

// shopSnapshot is the shop with the given objects.
func shopSnapshot(t testing.TB, objects []coverage.Object) *cluster.Snapshot {
	t.Helper()
	snapshot, err := cluster.LoadManifests(t.Context(), []string{"-"}, false, strings.NewReader(shop), cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	store := coverage.NewStore()
	for _, o := range objects {
		store.Put(o)
	}
	snapshot.Population = cluster.Population{Population: store.Snapshot(), Resources: []cluster.PopulationResource{
		{GroupVersionResource: podsResource, State: cluster.Read}, {GroupVersionResource: servicesResource, State: cluster.Read},
	}}
	return snapshot
}

func shopServer(t testing.TB) *httptest.Server {
	t.Helper()
	return serve(t, cluster.Fixed(shopSnapshot(t, shopObjects)))
}

// manyPods are pods in dev, more than fit on a page.
func manyPods(n int) []coverage.Object {
	objects := make([]coverage.Object, n)
	for i := range objects {
		objects[i] = coverage.Object{Resource: podsResource, Namespace: "dev", Name: fmt.Sprintf("pod-%04d", i)}
	}
	return objects
}

package controller

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
)

// The names are those of a real cluster (kyverno #17282), and of the key of the other pair of selectors.
const twoGroups = `
apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: {name: a}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [services], operations: [CREATE]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}"}}]
---
apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: {name: b}
spec:
  matchConstraints: {objectSelector: {matchLabels: {a: b}}, resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [services], operations: [CREATE]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}"}}]
`

// sameName are two policies whose webhooks have one name.
const sameName = `
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: c}
spec:
  matchConstraints: {matchPolicy: Exact, resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [services], operations: [CREATE]}]}
  validations: [{expression: "true"}]
---
apiVersion: policies.kyverno.io/v1
kind: NamespacedValidatingPolicy
metadata: {name: x-y, namespace: default}
spec:
  matchConstraints: {matchPolicy: Exact, resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [services], operations: [CREATE]}]}
  validations: [{expression: "true"}]
---
apiVersion: policies.kyverno.io/v1
kind: NamespacedValidatingPolicy
metadata: {name: "y", namespace: default-x}
spec:
  matchConstraints: {matchPolicy: Exact, resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [services], operations: [CREATE]}]}
  validations: [{expression: "true"}]
---
`

func TestSettled(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs Kyverno")
	}
	c, err := Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	err = c.Configure(t.Context(), map[string]string{
		"webhooks": `{"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kyverno"]}]}}`,
	})
	if err != nil {
		t.Fatal(err)
	}

	t.Run("groups", func(t *testing.T) {
		state := settle(t, c, twoGroups)
		var names []string
		for _, w := range state.Mutating.Webhooks {
			names = append(names, w.Name)
		}
		want := []string{"mpol.validate.kyverno.svc-fail-5ace6b6a", "mpol.validate.kyverno.svc-fail-73444dbe"}
		if !slices.Equal(names, want) {
			t.Errorf("webhooks %v, want %v", names, want)
		}
	})
	t.Run("refused", func(t *testing.T) {
		namespace := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "default-x"}}}
		if err := seed.Apply(t.Context(), c.Config, []*unstructured.Unstructured{namespace}); err != nil {
			t.Fatal(err)
		}
		state := settle(t, c, sameName)
		if !strings.Contains(state.Refused[ValidatingName], "Duplicate value") || len(state.Refused) != 1 {
			t.Errorf("refused %v, want a duplicate name in %s", state.Refused, ValidatingName)
		}
	})
	t.Run("restart", func(t *testing.T) {
		// A controller that cannot write its webhooks does not start.
		if _, err := c.Replace(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := c.Restart(t.Context(), "--forceFailurePolicyIgnore=true"); err != nil {
			t.Fatal(err)
		}
		state := settle(t, c, strings.ReplaceAll(twoGroups, "{name: ", "{name: again-"))
		for _, w := range state.Mutating.Webhooks {
			if !strings.Contains(w.Name, "-ignore-") {
				t.Errorf("webhook %s fails closed", w.Name)
			}
		}
	})
}

func settle(t *testing.T, c *Cluster, text string) *State {
	t.Helper()
	policies, err := seed.Documents([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	refused, err := c.Replace(t.Context(), policies)
	if err != nil || len(refused) > 0 {
		t.Fatal(err, refused)
	}
	state, err := c.Settled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

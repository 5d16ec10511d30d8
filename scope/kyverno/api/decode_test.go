package api_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

func written(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}

// Kyverno tells what is absent from what is empty (pkg/controllers/webhook/validating.go, validConditions and selectorKey).
func TestNilAndEmpty(t *testing.T) {
	empty, err := api.DecodePolicy(written(t, `
kind: ValidatingPolicy
metadata: {name: a, namespace: dropped}
spec: {matchConditions: [], matchConstraints: {objectSelector: {}}, autogen: {podControllers: {controllers: []}}}`))
	if err != nil {
		t.Fatal(err)
	}
	absent, err := api.DecodePolicy(written(t, `
kind: NamespacedValidatingPolicy
metadata: {name: a, namespace: kept}
spec: {matchConstraints: {}, autogen: {podControllers: {}}, unknown: [1]}`))
	if err != nil {
		t.Fatal(err)
	}
	if empty.Spec.MatchConditions == nil || absent.Spec.MatchConditions != nil {
		t.Error("match conditions")
	}
	if empty.Spec.MatchConstraints.ObjectSelector == nil || absent.Spec.MatchConstraints.ObjectSelector != nil {
		t.Error("selectors")
	}
	if empty.Spec.Autogen.PodControllers.Controllers == nil || absent.Spec.Autogen.PodControllers.Controllers != nil {
		t.Error("controllers")
	}
	if empty.Namespace != "" || absent.Namespace != "kept" {
		t.Errorf("namespaces %q and %q", empty.Namespace, absent.Namespace)
	}
}

func TestLegacy(t *testing.T) {
	p, err := api.DecodeLegacy(written(t, `
kind: ClusterPolicy
metadata: {name: a}
spec:
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Pod]}}]}
    exclude: {resources: {namespaces: [x]}, clusterRoles: [admin]}
    validate: {message: m}`))
	if err != nil {
		t.Fatal(err)
	}
	rule := p.Spec.Rules[0]
	if rule.Match.Any[0].Resources.Kinds[0] != "Pod" || rule.Exclude.Resources.Namespaces[0] != "x" || rule.Exclude.ClusterRoles[0] != "admin" {
		t.Errorf("%+v", rule)
	}
	_, err = api.DecodeLegacy(written(t, "{kind: ClusterPolicy, metadata: {name: a}, spec: {rules: 1}}"))
	if err == nil || !strings.HasPrefix(err.Error(), "ClusterPolicy a cannot be read: ") {
		t.Errorf("%v", err)
	}
}

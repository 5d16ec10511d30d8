package compare

import (
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// images are a policy about images and a namespaced one, whose webhooks have the same names.
const images = `
apiVersion: policies.kyverno.io/v1
kind: ImageValidatingPolicy
metadata: {name: same-i}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}
  matchImageReferences: [{glob: "registry.invalid/*"}]
  attestors: [{name: key, cosign: {key: {data: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8nXRh950IZbRj8Ra/N9sbqOPZrfM\n5/KAQN0/KjHcorm/J5yctVd7iEcnessRQjU917hmKO6JWVGHpDguIyakZA==\n-----END PUBLIC KEY-----\n"}}}]
  validations: [{expression: "images.containers.map(image, verifyImageSignatures(image, [attestors.key])).all(e, e > 0)"}]
---
apiVersion: policies.kyverno.io/v1
kind: NamespacedImageValidatingPolicy
metadata: {name: same-n, namespace: team-a}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}
  matchImageReferences: [{glob: "registry.invalid/*"}]
  attestors: [{name: key, cosign: {key: {data: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8nXRh950IZbRj8Ra/N9sbqOPZrfM\n5/KAQN0/KjHcorm/J5yctVd7iEcnessRQjU917hmKO6JWVGHpDguIyakZA==\n-----END PUBLIC KEY-----\n"}}}]
  validations: [{expression: "images.containers.map(image, verifyImageSignatures(image, [attestors.key])).all(e, e > 0)"}]
`

// scopes are two policies with one rule, the one with a scope and the other without (kyverno #17132).
const scopes = `
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: without}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
  validations: [{expression: "true"}]
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: with}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE], scope: Namespaced}]}
  validations: [{expression: "true"}]
`

// testRefused lets the controller write what the API server refuses.
func (s running) testRefused(t *testing.T) {
	o := s.manifests(t, images)
	if len(o.state.Refused) != 2 || !strings.Contains(o.state.Refused["kyverno-resource-validating-webhook-cfg"], "Duplicate value") {
		t.Errorf("refused %v, want a duplicate name in both", o.state.Refused)
	}
	if len(o.differences) > 0 {
		t.Error(o.differences)
	}
}

// testCrash gives policies to the controller that end it.
func (s running) testCrash(t *testing.T) {
	policies, err := seed.Documents([]byte(scopes))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.bring(t.Context(), generate.Batch{Policies: policies}, config.Flags{})
	if err == nil || !strings.Contains(err.Error(), "the controller has ended") || !strings.Contains(err.Error(), "nil pointer") {
		t.Errorf("got %v, want that the controller ends", err)
	}
	prediction, err := world{policies: policies, resources: s.Resources()}.predict()
	if err != nil {
		t.Fatal(err)
	}
	if finding(prediction, "crashes-controller") == nil {
		t.Error("Ambit does not say that the controller crashes")
	}
}

// manifests brings the policies of some manifests about.
func (s running) manifests(t *testing.T, text string) outcome {
	t.Helper()
	policies, err := seed.Documents([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.bring(t.Context(), generate.Batch{Policies: policies}, config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/scope"
)

// unpack writes the files of a txtar archive into a new folder and makes it the current one, so that paths in tests
// are short and always the same.
func unpack(t *testing.T, archive string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, archive)
}

// write writes the files of a txtar archive into the current folder.
func write(t *testing.T, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t *testing.T, paths ...string) *Snapshot {
	t.Helper()
	s, err := LoadManifests(t.Context(), paths, false, strings.NewReader(""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const guard = `
-- policies/guard.yaml --
# A comment before the object.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: pods.guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://guard.example.com"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`

const limits = `
-- policies/limits.yaml --
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  paramKind: {apiVersion: example.com/v1, kind: Limit}
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "true"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limits-prod}
spec:
  policyName: limits
  validationActions: [Deny]
  paramRef: {name: prod, parameterNotFoundAction: Deny}
-- policies/crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Limit, plural: limits, singular: limit}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1beta1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

func TestManifests(t *testing.T) {
	unpack(t, guard+limits)
	s := load(t, "policies")
	wantAll(t, "policies", ids(s),
		"ValidatingAdmissionPolicy/limits/limits-prod", "ValidatingWebhookConfiguration/guard/pods.guard.example.com")
	wantAll(t, "problems", problems(s))
	if got, want := s.About.Source, "3 files in policies"; got != want {
		t.Errorf("source is %q, want %q", got, want)
	}
	if got, want := s.About.Version, "v1.37.2"; got != want {
		t.Errorf("version is %q, want %q", got, want)
	}
	if got, want := originOf(s, "ValidatingWebhookConfiguration/guard/pods.guard.example.com"), "policies/guard.yaml, document 1, line 2"; got != want {
		t.Errorf("origin is %q, want %q", got, want)
	}
	if s.About.Read.IsZero() || s.About.Kind != Manifests || s.About.Stale != "" || len(s.About.Syncing) > 0 {
		t.Errorf("about is %+v", s.About)
	}
	wantCount(t, s, "ValidatingAdmissionPolicies", 1)
	wantCount(t, s, "MutatingAdmissionPolicies", 0)
}

func TestNamespacesAreAllOrUnknown(t *testing.T) {
	unpack(t, guard+`
-- namespaces.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: team-b, labels: {env: prod}}
---
apiVersion: v1
kind: Namespace
metadata: {name: team-a}
`)
	s := load(t, "policies")
	wantPresence(t, s, "team-a", scope.NotKnown)
	wantAll(t, "gaps", s.About.Gaps, "There is no Namespace among the manifests; the labels of namespaces are not known.", noFlowSchemas)

	s = load(t, "policies", "namespaces.yaml")
	wantPresence(t, s, "team-a", scope.Present)
	wantPresence(t, s, "team-c", scope.Absent)
	wantAll(t, "gaps", s.About.Gaps, noFlowSchemas)
	if len(s.Namespaces) != 2 || s.Namespaces[0].Name != "team-a" {
		t.Errorf("namespaces are %v", s.Namespaces)
	}
	if got := labels.FormatLabels(s.Namespaces[1].Labels); got != "env=prod,kubernetes.io/metadata.name=team-b" {
		t.Errorf("labels are %s", got)
	}
	if got, want := s.About.Source, "policies and namespaces.yaml"; got != want {
		t.Errorf("source is %q, want %q", got, want)
	}
}

func TestParams(t *testing.T) {
	unpack(t, limits+`
-- params.yaml --
apiVersion: example.com/v1
kind: Limit
metadata: {name: prod, namespace: team-a, labels: {env: prod}}
max: 3
---
apiVersion: example.com/v1beta1
kind: Limit
metadata: {name: old}
max: 4
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {max: "5"}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
data: {password: cGFzcw==}
`)
	p := load(t, "policies", "params.yaml").Facts.Params
	limit := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Limit"}
	configMap := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	secret := schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	for _, tc := range []struct {
		kind            schema.GroupVersionKind
		namespace, name string
		want            scope.Presence
	}{
		{limit, "team-a", "prod", scope.Present},
		{limit, "default", "old", scope.Present},
		{limit, "team-a", "old", scope.Absent},
		{limit.GroupKind().WithVersion("v1beta1"), "team-a", "prod", scope.Present},
		{configMap, "default", "c", scope.Present},
		{configMap, "default", "d", scope.Absent},
		{configMap.GroupKind().WithVersion("v2"), "default", "c", scope.NotKnown},
		{secret, "default", "s", scope.NotKnown},
	} {
		obj, presence, reason := p.Param(tc.kind, tc.namespace, tc.name)
		if presence != tc.want || (reason != "") != (presence == scope.NotKnown) {
			t.Errorf("%v %s/%s: presence %v (%s), want %v", tc.kind, tc.namespace, tc.name, presence, reason, tc.want)
		}
		if presence == scope.Present && obj.GetObjectKind().GroupVersionKind() != tc.kind {
			t.Errorf("%v %s/%s comes as %v", tc.kind, tc.namespace, tc.name, obj.GetObjectKind().GroupVersionKind())
		}
	}
	all, known, _ := p.ListParams(limit, "", labels.Everything())
	if len(all) != 2 || !known {
		t.Errorf("%d limits, known %v", len(all), known)
	}
	some, _, _ := p.ListParams(limit, "", labels.SelectorFromSet(labels.Set{"env": "prod"}))
	if len(some) != 1 {
		t.Errorf("%d limits with env=prod", len(some))
	}
	if _, known, reason := p.ListParams(secret, "", labels.Everything()); known || reason == "" {
		t.Errorf("the contents of Secrets are known")
	}
}

// The conversion of a custom resource by a webhook cannot be known.
func TestParamsConvertedByWebhook(t *testing.T) {
	unpack(t, strings.Replace(limits, "scope: Namespaced", "conversion: {strategy: Webhook}\n  scope: Namespaced", 1)+`
-- params.yaml --
apiVersion: example.com/v1beta1
kind: Limit
metadata: {name: old}
`)
	p := load(t, "policies", "params.yaml").Facts.Params
	_, presence, reason := p.Param(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Limit"}, "default", "old")
	if want := "Limit default/old is written in version v1beta1, and how the API server converts it to v1 is not known"; presence != scope.NotKnown || reason != want {
		t.Errorf("presence %v: %s", presence, reason)
	}
}

func TestCustomResources(t *testing.T) {
	unpack(t, limits)
	resources := load(t, "policies").Facts.Resources
	for version, served := range map[string]bool{"v1": true, "v1beta1": false} {
		r, ok := resources.ForKind(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Limit"})
		if !ok || r.Served != served || !r.Namespaced {
			t.Errorf("%s: found %v, %+v", version, ok, r)
		}
	}
	if _, ok := resources.ForKind(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}); !ok {
		t.Error("Pods are not known")
	}
}

func TestOtherVersion(t *testing.T) {
	unpack(t, guard)
	s, err := LoadManifests(t.Context(), []string{"policies"}, false, nil, Options{Version: version.MustParseGeneric("1.31.4")})
	if err != nil {
		t.Fatal(err)
	}
	if s.About.Version != "v1.31.4" || s.Facts.Version.Minor() != 31 {
		t.Errorf("version is %s", s.About.Version)
	}
	wantGap(t, s, "The resources that are built in are those of Kubernetes 1.37.2.")
}

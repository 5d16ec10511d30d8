package builtin

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// find returns the one resource at group/version/resource[/subresource]; the core group has an empty name.
func find(t *testing.T, path string) Resource {
	t.Helper()
	parts := append(strings.Split(path, "/"), "")
	for _, r := range Resources() {
		if r.Group == parts[0] && r.Version == parts[1] && r.Resource == parts[2] && r.Subresource == parts[3] {
			return r
		}
	}
	t.Fatalf("%s is not among the resources", path)
	return Resource{}
}

func TestVersionIsThatOfTheServer(t *testing.T) {
	if got := load().Version; got != Version {
		t.Errorf("resources.json was written from Kubernetes %s, but Version is %s", got, Version)
	}
}

func TestKinds(t *testing.T) {
	for path, want := range map[string]schema.GroupVersionKind{
		"/v1/pods":                         {Version: "v1", Kind: "Pod"},
		"/v1/pods/status":                  {Version: "v1", Kind: "Pod"},
		"/v1/pods/ephemeralcontainers":     {Version: "v1", Kind: "Pod"},
		"/v1/pods/exec":                    {Version: "v1", Kind: "PodExecOptions"},
		"/v1/pods/attach":                  {Version: "v1", Kind: "PodAttachOptions"},
		"/v1/pods/portforward":             {Version: "v1", Kind: "PodPortForwardOptions"},
		"/v1/pods/proxy":                   {Version: "v1", Kind: "PodProxyOptions"},
		"/v1/services/proxy":               {Version: "v1", Kind: "ServiceProxyOptions"},
		"/v1/nodes/proxy":                  {Version: "v1", Kind: "NodeProxyOptions"},
		"/v1/pods/binding":                 {Version: "v1", Kind: "Binding"},
		"/v1/pods/eviction":                {Group: "policy", Version: "v1", Kind: "Eviction"},
		"/v1/serviceaccounts/token":        {Group: "authentication.k8s.io", Version: "v1", Kind: "TokenRequest"},
		"/v1/replicationcontrollers/scale": {Group: "autoscaling", Version: "v1", Kind: "Scale"},
		"apps/v1/deployments/scale":        {Group: "autoscaling", Version: "v1", Kind: "Scale"},
		"/v1/namespaces/finalize":          {Version: "v1", Kind: "Namespace"},
		"events.k8s.io/v1/events":          {Group: "events.k8s.io", Version: "v1", Kind: "Event"},
		"apiextensions.k8s.io/v1/customresourcedefinitions": {Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
		"apiregistration.k8s.io/v1/apiservices":             {Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"},
	} {
		if got := find(t, path).Kind; got != want {
			t.Errorf("kind of %s: got %v, want %v", path, got, want)
		}
	}
}

func TestScopeAndVerbs(t *testing.T) {
	for _, tc := range []struct {
		path       string
		namespaced bool
		verbs      []string
	}{
		{"/v1/pods", true, []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}},
		{"/v1/namespaces", false, []string{"create", "delete", "get", "list", "patch", "update", "watch"}},
		{"/v1/pods/exec", true, []string{"create", "get"}}, // Both are CONNECT to admission.
		{"/v1/pods/eviction", true, []string{"create"}},
		{"apps/v1/deployments/scale", true, []string{"get", "patch", "update"}},
		{"authorization.k8s.io/v1/subjectaccessreviews", false, []string{"create"}},
		{"authorization.k8s.io/v1/localsubjectaccessreviews", true, []string{"create"}},
	} {
		got := find(t, tc.path)
		if got.Namespaced != tc.namespaced {
			t.Errorf("%s: namespaced is %v", tc.path, got.Namespaced)
		}
		if diff := cmp.Diff(tc.verbs, got.Verbs); diff != "" {
			t.Errorf("verbs of %s (-want +got):\n%s", tc.path, diff)
		}
	}
}

func TestNames(t *testing.T) {
	deployments := find(t, "apps/v1/deployments")
	if deployments.Singular != "deployment" || !slices.Equal(deployments.ShortNames, []string{"deploy"}) {
		t.Errorf("deployments are also called %q and %q", deployments.Singular, deployments.ShortNames)
	}
}

// The preferred version of a group is registered first, so that matchPolicy Equivalent tries it first.
func TestVersionsInOrderOfRegistration(t *testing.T) {
	var got []string
	for _, r := range Resources() {
		if r.Group == "autoscaling" && r.Resource == "horizontalpodautoscalers" && r.Subresource == "" {
			got = append(got, r.Version)
		}
	}
	if diff := cmp.Diff([]string{"v2", "v1"}, got); diff != "" {
		t.Errorf("versions of horizontalpodautoscalers (-want +got):\n%s", diff)
	}
}

// A default server has no beta versions and none of the groups that Kubernetes removed long ago.
func TestOnlyWhatIsOnByDefault(t *testing.T) {
	for _, r := range Resources() {
		if strings.Contains(r.Version, "alpha") || strings.Contains(r.Version, "beta") || r.Group == "extensions" {
			t.Errorf("%s/%s %s is not served by default", r.Group, r.Version, r.Resource)
		}
	}
}

func TestCohabiting(t *testing.T) {
	want := [][]schema.GroupResource{{{Resource: "events"}, {Group: "events.k8s.io", Resource: "events"}}}
	if diff := cmp.Diff(want, Cohabiting()); diff != "" {
		t.Errorf("cohabiting resources (-want +got):\n%s", diff)
	}
}

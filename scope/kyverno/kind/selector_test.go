package kind_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// TestParse has the cases of pkg/utils/kube/kind_test.go (TestParseKindSelector) of github.com/kyverno/kyverno v1.19.1.
func TestParse(t *testing.T) {
	for text, want := range map[string]kind.Selector{
		"*":                             {"*", "*", "*", ""},
		"*.*":                           {"*", "*", "*", "*"},
		"*/*":                           {"*", "*", "*", "*"},
		"Pod":                           {"*", "*", "Pod", ""},
		"v1/Pod":                        {"*", "v1", "Pod", ""},
		"batch/*/CronJob":               {"batch", "*", "CronJob", ""},
		"storage.k8s.io/v1/CSIDriver":   {"storage.k8s.io", "v1", "CSIDriver", ""},
		"tekton.dev/v1beta1/Run/status": {"tekton.dev", "v1beta1", "Run", "status"},
		"v1/Pod.status":                 {"*", "v1", "Pod", "status"},
		"v1/Pod/status":                 {"*", "v1", "Pod", "status"},
		"Pod.status":                    {"*", "*", "Pod", "status"},
		"Pod/status":                    {"*", "*", "Pod", "status"},
		"apps/v1/Deployment/scale":      {"apps", "v1", "Deployment", "scale"},
		"apps/v1/Deployment.scale":      {"apps", "v1", "Deployment", "scale"},
		"*/Deployment/scale":            {"*", "*", "Deployment", "scale"},
		"*/Deployment.scale":            {"*", "*", "Deployment", "scale"},
		"v1.demo/v1/Demo":               {"v1.demo", "v1", "Demo", ""},
		"*/scale":                       {"*", "*", "*", "scale"},
		"Pod/*":                         {"*", "*", "Pod", "*"},
		"*/*/*":                         {"*", "*", "*", "*"},
		"*/*/*/*":                       {"*", "*", "*", "*"},
		"*/*/*/*/*":                     {},
	} {
		if got := kind.Parse(text); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// TestLike has the distinct cases of ext/wildcard/match_test.go of github.com/kyverno/kyverno v1.19.1.
func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "s3:GetObject", true}, {"", "s3:GetObject", false}, {"", "", true}, {"s3:*", "s3:ListMultipartUploadParts", true},
		{"s3:ListBucketMultipartUploads", "s3:ListBucket", false}, {"s3:ListBucket", "s3:ListBucket", true}, {"b/oo*", "b/oo", true},
		{"b/In*", "b/India/Karnataka/", true}, {"b/In*", "b/Karnataka/India/", false}, {"b/In*/Ka*/Ban", "b/India/Karnataka/Ban", true},
		{"b/In*/Ka*/Ban", "b/India/Karnataka/Ban/Ban/Ban/Ban/Ban", true}, {"b/In*/Ka*/Ban", "b/India/S1/S2/Karnataka/A1/A2/Ban", true},
		{"b/In*/Ka*/Ban", "b/India/Karnataka/Bangalore", false}, {"b/In*/Ka*/Ban*", "b/India/Karnataka/Bangalore", true}, {"b/oo*", "b/odo", false},
		{"b?/abc*", "b/abc", false}, {"b?/abc*", "b1/abc", true}, {"my-?-b/abc*", "my--b/abc", false}, {"my-?-b/abc*", "my-k-b/abc", true},
		{"my??b/abc*", "myb/abc", false}, {"my??b/abc*", "my4ab/abc", true}, {"b?abc*", "b/abc", true}, {"b/abc?efg", "b/abcdefg", true},
		{"b/abc????", "b/abc", false}, {"b/abc????", "b/abcde", false}, {"b/abc????", "b/abcdefg", true}, {"b/abc?", "b/abcde", false},
		{"b/mnop*?", "b/mnop", false}, {"b/mnop*?", "b/mnopqrst/mnopqr", true}, {"b/mnop*?", "b/mnopq", true}, {"b/mnop*?and", "b/mnopqand", true},
		{"b/mnop*?and", "b/mnopand", false}, {"b/mnop*?", "b/mn", false}, {"b/mnop*??", "b/mnopqrst", true}, {"b/mnop*qrst", "b/mnopabcdegqrst", true},
		{"b/mnop*?and?", "b/mnopqanda", true}, {"b/mnop*?and", "b/mnopqanda", false}, {"my-?-b/abc*", "b/mnopqanda", false},
	} {
		if got := kind.Like(c.pattern, c.text); got != c.want {
			t.Errorf("%q like %q: %v", c.text, c.pattern, got)
		}
	}
}

// TestMatches has cases of pkg/utils/match/kind_test.go (Test_CheckKind) of github.com/kyverno/kyverno v1.19.1.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		text, group, version, kind, subresource string
		want                                    bool
	}{
		{"*", "", "v1", "Deployment", "", true},
		{"Pod", "", "v1", "Pod", "", true},
		{"v1/Pod", "", "v1", "Pod", "", true},
		{"tekton.dev/v1beta1/TaskRun", "tekton.dev", "v1beta1", "TaskRun", "", true},
		{"tekton.dev/*/TaskRun", "tekton.dev", "v1alpha1", "TaskRun", "", true},
		{"v1/Pod", "", "v1", "Pod", "status", false},
		{"v1/Pod", "", "v1", "Pod", "ephemeralcontainers", false},
		{"postgresdb", "acid.zalan.do", "v1", "postgresdb", "", true},
		{"Postgresdb", "acid.zalan.do", "v1", "postgresdb", "", false},
		{"networking.k8s.io/v1/NetworkPolicy/status", "networking.k8s.io", "v1", "NetworkPolicy", "status", true},
		{"v1/Pod.status", "", "v1", "Pod", "status", true},
		{"*/Pod.eviction", "", "v1", "Pod", "eviction", true},
		{"v1alpha1/Pod.eviction", "", "v1", "Pod", "eviction", false},
	} {
		if got := kind.Parse(c.text).Matches(schema.GroupVersionKind{Group: c.group, Version: c.version, Kind: c.kind}, c.subresource); got != c.want {
			t.Errorf("%s for %s/%s: %v", c.text, c.kind, c.subresource, got)
		}
	}
}

// TestFind looks kinds up among what every API server serves. What is found follows from
// pkg/clients/dclient/discovery.go (findResources): all versions, no subresources unless one is named, and then no
// resources, except with */*.
func TestFind(t *testing.T) {
	set := resource.NewSet(resource.Builtin(), nil)
	for text, want := range map[string]string{
		"Deployment":                  "apps/v1/deployments",
		"apps/v1/Deployment":          "apps/v1/deployments",
		"extensions/*/Deployment":     "",
		"pod":                         "",
		"Pod/exec":                    "/v1/pods/exec",
		"Pod/e*":                      "/v1/pods/ephemeralcontainers /v1/pods/eviction /v1/pods/exec",
		"Event":                       "/v1/events events.k8s.io/v1/events",
		"HorizontalPodAutoscaler":     "autoscaling/v2/horizontalpodautoscalers autoscaling/v1/horizontalpodautoscalers",
		"autoscaling/v1/Horizontal*":  "autoscaling/v1/horizontalpodautoscalers",
		"ReplicationController/scale": "/v1/replicationcontrollers/scale",
		"apps/*/*Set/scale":           "apps/v1/replicasets/scale apps/v1/statefulsets/scale",
		"storage.k8s.io/v1/CSIDriver": "storage.k8s.io/v1/csidrivers",
		"StorageClass/status":         "",
		"a/b/c/d/e":                   "",
	} {
		var got []string
		for _, r := range kind.Parse(text).Find(set) {
			name := r.Group + "/" + r.Version + "/" + r.Resource
			if r.Subresource != "" {
				name += "/" + r.Subresource
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", text, strings.Join(got, " "), want)
		}
	}
	if all, some := len(kind.Parse("*/*").Find(set)), len(kind.Parse("*").Find(set)); all <= some || some < 50 {
		t.Errorf("*/* finds %d, * %d", all, some)
	}
}

// FuzzLike holds the matcher to its definition by recursion.
func FuzzLike(f *testing.F) {
	f.Add("a*b?c", "aXXbYc")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 12 || len(text) > 16 {
			t.Skip()
		}
		if got, want := kind.Like(pattern, text), like([]rune(pattern), []rune(text)); got != want && strings.ToValidUTF8(pattern+text, "") == pattern+text {
			t.Errorf("%q like %q: %v", text, pattern, got)
		}
	})
}

func like(p, t []rune) bool {
	switch {
	case len(p) == 0:
		return len(t) == 0
	case p[0] == '*':
		return like(p[1:], t) || len(t) > 0 && like(p, t[1:])
	}
	return len(t) > 0 && (p[0] == '?' || p[0] == t[0]) && like(p[1:], t[1:])
}

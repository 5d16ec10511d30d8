package autogen_test

import (
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

func parse(t *testing.T, text string) release.Release {
	t.Helper()
	r, err := release.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pods is a policy for Pods with one condition.
func pods(kind api.Kind, expression string) *api.Policy {
	p := &api.Policy{TypeMeta: metav1.TypeMeta{Kind: string(kind)}}
	p.Spec.MatchConstraints = &v1.MatchResources{ResourceRules: []v1.NamedRuleWithOperations{{RuleWithOperations: v1.RuleWithOperations{
		Operations: []v1.OperationType{v1.Create}, Rule: v1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
	}}}}
	if expression != "" {
		p.Spec.MatchConditions = []v1.MatchCondition{{Name: "c", Expression: expression}}
	}
	return p
}

func rewritten(t *testing.T, p *api.Policy, r release.Release, name string) string {
	t.Helper()
	derived, _ := autogen.Of(p, r, nil)
	for _, d := range derived {
		if d.Name == name {
			return d.Conditions[0].Expression
		}
	}
	t.Fatalf("no policy %s among %d", name, len(derived))
	return ""
}

// The expected expressions are those of pkg/cel/autogen/replacement_test.go of Kyverno 1.19.1.
func TestRewriteValidating(t *testing.T) {
	for _, test := range []struct{ expression, derived, want string }{
		{"object.spec", "defaults", "object.spec.template.spec"},
		{"oldObject.spec", "defaults", "oldObject.spec.template.spec"},
		{"object.spec", "cronjobs", "object.spec.jobTemplate.spec.template.spec"},
		{"oldObject.spec", "cronjobs", "oldObject.spec.jobTemplate.spec.template.spec"},
		{"object.metadata", "defaults", "object.spec.template.metadata"},
		{"object.metadata.labels['app']", "defaults", "object.spec.template.metadata.labels['app']"},
		{"object.metadata.namespace", "defaults", "object.metadata.namespace"},
		{"oldObject.metadata.namespace", "cronjobs", "oldObject.metadata.namespace"},
		{"!(object.metadata.namespace in ['opencost', 'kube-system'])", "cronjobs", "!(object.metadata.namespace in ['opencost', 'kube-system'])"},
		{
			"object.metadata.namespace == 'foo' && object.metadata.labels['team'] == 'platform'", "defaults",
			"object.metadata.namespace == 'foo' && object.spec.template.metadata.labels['team'] == 'platform'",
		},
		{"object.metadata.namespaceFoo", "defaults", "object.spec.template.metadata.namespaceFoo"},
		{
			"object.spec.containers.all(c, has(c.securityContext))", "cronjobs",
			"object.spec.jobTemplate.spec.template.spec.containers.all(c, has(c.securityContext))",
		},
	} {
		for _, kind := range []api.Kind{api.ValidatingPolicy, api.NamespacedImageValidatingPolicy} {
			if got := rewritten(t, pods(kind, test.expression), release.Default, test.derived); got != test.want {
				t.Errorf("%s for %s of a %s: %s, want %s", test.expression, test.derived, kind, got, test.want)
			}
		}
	}
}

// The expected expressions are those of pkg/cel/policies/mpol/autogen/autogen_test.go of Kyverno 1.19.1.
func TestRewriteMutating(t *testing.T) {
	for _, test := range []struct{ expression, derived, want string }{
		{"'istio.io/dataplane-mode' in namespaceObject.metadata.labels", "defaults", "'istio.io/dataplane-mode' in namespaceObject.metadata.labels"},
		{"namespaceObject.spec.containers", "cronjobs", "namespaceObject.spec.containers"},
		{"'team' in namespaceObject.metadata.annotations", "cronjobs", "'team' in namespaceObject.metadata.annotations"},
		{"oldObject.spec.containers", "defaults", "oldObject.spec.template.spec.containers"},
		{"object.metadata.annotations['a'] == 'b'", "defaults", "object.spec.template.metadata.annotations['a'] == 'b'"},
		{"object.metadata.name == 'b'", "defaults", "object.metadata.name == 'b'"},
	} {
		if got := rewritten(t, pods(api.MutatingPolicy, test.expression), release.Default, test.derived); got != test.want {
			t.Errorf("%s for %s: %s, want %s", test.expression, test.derived, got, test.want)
		}
	}
}

// Until 1.18 the text alone is replaced (pkg/cel/autogen/replacement.go and pkg/cel/policies/mpol/autogen/autogen.go of 1.18.2).
func TestRewriteBefore(t *testing.T) {
	before := parse(t, "1.18.2")
	if got := rewritten(t, pods(api.ValidatingPolicy, "object.metadata.namespace == 'x'"), before, "defaults"); got != "object.spec.template.metadata.namespace == 'x'" {
		t.Errorf("namespace: %s", got)
	}
	if got := rewritten(t, pods(api.MutatingPolicy, "namespaceObject.spec == 1"), before, "defaults"); got != "namespaceObject.spec.template.spec == 1" {
		t.Errorf("namespaceObject: %s", got)
	}
	selecting := pods(api.ValidatingPolicy, "")
	selecting.Spec.MatchConstraints.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	if derived, _ := autogen.Of(selecting, before, nil); len(derived) > 0 {
		t.Error("a namespaceSelector is no obstacle")
	}
	if derived, _ := autogen.Of(selecting, release.Default, nil); len(derived) != 2 {
		t.Error("a namespaceSelector is an obstacle")
	}
}

// TestPossible has the cases of pkg/cel/autogen/support_test.go.
func TestPossible(t *testing.T) {
	rule := func(change func(*v1.NamedRuleWithOperations)) *v1.MatchResources {
		match := pods(api.ValidatingPolicy, "").Spec.MatchConstraints
		change(&match.ResourceRules[0])
		return match
	}
	same := func(*v1.NamedRuleWithOperations) {}
	twice, excluding, selecting, empty := rule(same), rule(same), rule(same), rule(same)
	twice.ResourceRules = append(twice.ResourceRules, twice.ResourceRules[0])
	excluding.ExcludeResourceRules = twice.ResourceRules
	selecting.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "nginx"}}
	empty.ObjectSelector = &metav1.LabelSelector{}
	for name, test := range map[string]struct {
		match *v1.MatchResources
		want  bool
	}{
		"nil":             {nil, false},
		"pods":            {rule(same), true},
		"names":           {rule(func(r *v1.NamedRuleWithOperations) { r.ResourceNames = []string{"test-pod"} }), false},
		"group":           {rule(func(r *v1.NamedRuleWithOperations) { r.APIGroups = []string{"foo"} }), false},
		"version":         {rule(func(r *v1.NamedRuleWithOperations) { r.APIVersions = []string{"v1alpha1"} }), false},
		"resource":        {rule(func(r *v1.NamedRuleWithOperations) { r.Resources = []string{"configmaps"} }), false},
		"two rules":       {twice, false},
		"exclusion":       {excluding, false},
		"object selector": {selecting, false},
		"empty selector":  {empty, true},
	} {
		if got := autogen.Possible(test.match, release.Default); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestControllers follows pkg/cel/autogen/extraction_test.go (TestResolveConfig).
func TestControllers(t *testing.T) {
	jobSets := resource.NewSet([]resource.Resource{{
		GroupVersionResource: schema.GroupVersionResource{Group: "jobset.x-k8s.io", Version: "v1alpha2", Resource: "jobsets"},
		Kind:                 schema.GroupVersionKind{Group: "jobset.x-k8s.io", Version: "v1alpha2", Kind: "JobSet"}, Namespaced: true, Served: true,
	}}, nil)
	for _, test := range []struct {
		name      string
		release   string
		resources *resource.Set
		want      string
		unsure    bool
	}{
		{"deployments", "1.19.1", nil, "defaults apps/v1 deployments Deployment", false},
		{"jobsets.v1alpha2.jobset.x-k8s.io", "1.19.1", nil, "extract jobset.x-k8s.io/v1alpha2 jobsets Jobset", false},
		{"jobsets.v1alpha2.jobset.x-k8s.io", "1.19.1", jobSets, "extract jobset.x-k8s.io/v1alpha2 jobsets JobSet", false},
		{"jobsets.v1alpha2.jobset.x-k8s.io", "1.19.0", jobSets, "", false},
		{"jobsets.v1alpha2", "1.19.1", jobSets, "", false},
		{"jobsets", "1.19.1", nil, "", true},
		{"jobsets", "1.19.1", jobSets, "extract jobset.x-k8s.io/v1alpha2 jobsets JobSet", true},
		{"widgets", "1.19.1", jobSets, "", false},
	} {
		p := pods(api.ValidatingPolicy, "")
		p.Spec.Autogen = &api.Autogen{PodControllers: &api.PodControllers{Controllers: []string{test.name}}}
		derived, unsure := autogen.Of(p, parse(t, test.release), test.resources)
		got := ""
		for _, d := range derived {
			for _, target := range d.Targets {
				got += strings.Join([]string{d.Name, target.Group + "/" + target.Version, target.Resource, target.Kind}, " ")
			}
		}
		if got != test.want || (len(unsure) > 0) != test.unsure {
			t.Errorf("%s under %s: %q, unsure %v", test.name, test.release, got, unsure)
		}
	}
	none := pods(api.ValidatingPolicy, "")
	none.Spec.Autogen = &api.Autogen{PodControllers: &api.PodControllers{Controllers: []string{}}}
	if derived, _ := autogen.Of(none, release.Default, nil); len(derived) > 0 {
		t.Error("an empty list derives policies")
	}
	if derived, _ := autogen.Of(pods(api.GeneratingPolicy, ""), release.Default, nil); len(derived) > 0 {
		t.Error("a policy that generates derives policies")
	}
}

// TestWrap has the texts of pkg/cel/autogen/match_test.go (TestCreateMatchConditions).
func TestWrap(t *testing.T) {
	conditions := []v1.MatchCondition{{Name: "test", Expression: "something"}}
	targets := []autogen.Target{{Group: "foo", Version: "v1", Resource: "foos", Kind: "Foo"}, {Group: "foo", Version: "v1", Resource: "bars", Kind: "Bar"}}
	got := autogen.Wrap("defaults", targets, conditions)
	want := []v1.MatchCondition{{
		Name:       "autogen-defaults-test",
		Expression: "!((object.apiVersion == 'foo/v1' && object.kind =='Bar') || (object.apiVersion == 'foo/v1' && object.kind =='Foo')) || (something)",
	}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if got := autogen.Wrap(autogen.Extract, targets, conditions); got != nil {
		t.Errorf("extract: %v", got)
	}
}

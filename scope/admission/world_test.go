package admission_test

import (
	"context"
	"math/rand/v2"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// namespaces is a cluster's namespaces by name; with open set, others are not known.
type namespaces struct {
	byName map[string]*corev1.Namespace
	open   bool
}

func (n namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	switch ns, ok := n.byName[name]; {
	case n.open:
		return nil, scope.NotKnown
	case ok:
		return ns, scope.Present
	}
	return nil, scope.Absent
}

func namespace(name string, labels map[string]string) *corev1.Namespace {
	all := map[string]string{corev1.LabelMetadataName: name}
	for k, v := range labels {
		all[k] = v
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: all}}
}

// testNamespaces is the cluster that generated requests meet; "ghost" is not in it.
func testNamespaces() namespaces {
	return namespaces{byName: map[string]*corev1.Namespace{
		"prod":        namespace("prod", map[string]string{"env": "prod", "tier": "web"}),
		"dev":         namespace("dev", map[string]string{"env": "dev"}),
		"kube-system": namespace("kube-system", nil),
	}}
}

// widgets is a custom resource with a version that is listed but not served, and
// foreignNamespaces one whose plural is that of core namespaces.
var (
	widgetV1          = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	widgetV1beta1     = schema.GroupVersionResource{Group: "example.com", Version: "v1beta1", Resource: "widgets"}
	foreignNamespaces = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "namespaces"}
)

func testResources() *resource.Set {
	widget := func(gvr schema.GroupVersionResource, served bool) resource.Resource {
		return resource.Resource{GroupVersionResource: gvr, Kind: schema.GroupVersionKind{Group: gvr.Group, Version: gvr.Version, Kind: "Widget"}, Namespaced: true, Served: served}
	}
	all := append([]resource.Resource{}, resource.Builtin()...)
	all = append(all, widget(widgetV1, true), widget(widgetV1beta1, false), resource.Resource{
		GroupVersionResource: foreignNamespaces, Kind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Namespace"}, Served: true,
	})
	return resource.NewSet(all, builtin.Cohabiting())
}

// sometimes is an authorizer whose answers are fixed and look arbitrary.
type sometimes struct{}

func (sometimes) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if strings.Contains(a.GetVerb()+a.GetUser().GetName(), "a") {
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

func testFacts() *scope.Facts {
	return &scope.Facts{Namespaces: testNamespaces(), Resources: testResources(), Authorizer: sometimes{}, Version: version.MustParse(builtin.Version)}
}

// pick returns one of several values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// some returns a random non-empty part of values.
func some[T any](r *rand.Rand, values ...T) []T {
	var part []T
	for _, v := range values {
		if r.IntN(3) == 0 {
			part = append(part, v)
		}
	}
	if len(part) == 0 {
		part = append(part, pick(r, values...))
	}
	return part
}

// chance is true once in n.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

package resource

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/builtin"
)

func widgets() *apiextensionsv1.CustomResourceDefinition {
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Kind: "Widget"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{
				{Name: "v1", Served: true, Subresources: &apiextensionsv1.CustomResourceSubresources{Scale: &apiextensionsv1.CustomResourceSubresourceScale{}}},
				{Name: "v1alpha1"},
			},
		},
	}
}

// The equivalents of a resource are what an API server registers: all served versions of
// a built-in resource, also of a cohabiting one, and all versions of a custom one.
func TestEquivalents(t *testing.T) {
	set := NewSet(append(append([]Resource{}, Builtin()...), FromCRD(widgets())...), builtin.Cohabiting())
	gvr := func(group, version, resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
	}
	tests := []struct {
		resource    schema.GroupVersionResource
		subresource string
		want        []schema.GroupVersionResource
	}{
		{gvr("", "v1", "pods"), "", []schema.GroupVersionResource{gvr("", "v1", "pods")}},
		{gvr("autoscaling", "v1", "horizontalpodautoscalers"), "", []schema.GroupVersionResource{gvr("autoscaling", "v2", "horizontalpodautoscalers"), gvr("autoscaling", "v1", "horizontalpodautoscalers")}},
		{gvr("", "v1", "events"), "", []schema.GroupVersionResource{gvr("", "v1", "events"), gvr("events.k8s.io", "v1", "events")}},
		{gvr("example.com", "v1", "widgets"), "", []schema.GroupVersionResource{gvr("example.com", "v1", "widgets"), gvr("example.com", "v1alpha1", "widgets")}},
		{gvr("example.com", "v1", "widgets"), "scale", []schema.GroupVersionResource{gvr("example.com", "v1", "widgets")}},
	}
	for _, tt := range tests {
		got := set.Equivalents().EquivalentResourcesFor(tt.resource, tt.subresource)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s/%s (-want +got):\n%s", tt.resource, tt.subresource, diff)
		}
	}
	scale := set.Equivalents().KindFor(gvr("example.com", "v1", "widgets"), "scale")
	if want := (schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}); scale != want {
		t.Errorf("the kind of widgets/scale is %s, want %s", scale, want)
	}
}

func TestFind(t *testing.T) {
	set := NewSet(append(append([]Resource{}, Builtin()...), FromCRD(widgets())...), builtin.Cohabiting())
	if r, ok := set.ForKind(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}); !ok || r.Resource != "deployments" || !r.Namespaced {
		t.Errorf("Deployment is %+v, %t", r, ok)
	}
	if r, ok := set.ForKind(schema.GroupVersionKind{Group: "example.com", Version: "v1alpha1", Kind: "Widget"}); !ok || r.Served {
		t.Errorf("an unserved version is %+v, %t", r, ok)
	}
	if _, ok := set.ForKind(schema.GroupVersionKind{Group: "example.com", Version: "v2", Kind: "Widget"}); ok {
		t.Error("a version that nobody defined is known")
	}
	if got := set.Subresources(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}); !cmp.Equal(got, []string{"finalize", "status"}) {
		t.Errorf("the subresources of namespaces are %v", got)
	}
	if like := set.KindsLike("deployment"); len(like) != 1 || like[0].Kind != "Deployment" {
		t.Errorf("like deployment are %v", like)
	}
}

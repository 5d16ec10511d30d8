package resource

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// FromCRD returns the resources that a CustomResourceDefinition brings. All versions
// count, the unserved ones too, because the API server registers them all as equivalent
// (k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go,
// getOrCreateServingInfoFor).
func FromCRD(crd *apiextensionsv1.CustomResourceDefinition) []Resource {
	var all []Resource
	byWebhook := crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
	for _, v := range crd.Spec.Versions {
		gvr := schema.GroupVersionResource{Group: crd.Spec.Group, Version: v.Name, Resource: crd.Spec.Names.Plural}
		kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
		namespaced := crd.Spec.Scope == apiextensionsv1.NamespaceScoped
		add := func(subresource string, kind schema.GroupVersionKind) {
			all = append(all, Resource{
				GroupVersionResource: gvr, Subresource: subresource, Kind: kind, Namespaced: namespaced, Served: v.Served, ConvertedByWebhook: byWebhook,
				ShortNames: crd.Spec.Names.ShortNames, Singular: crd.Spec.Names.Singular,
			})
		}
		add("", kind)
		if v.Subresources != nil && v.Subresources.Status != nil {
			add("status", kind)
		}
		if v.Subresources != nil && v.Subresources.Scale != nil {
			add("scale", schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"})
		}
	}
	return all
}

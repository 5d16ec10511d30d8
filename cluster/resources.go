package cluster

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// builtinResources returns what an API server serves without any add-on, in the order of registration.
var builtinResources = sync.OnceValue(func() []resource.Resource {
	all := make([]resource.Resource, 0, len(builtin.Resources()))
	for _, r := range builtin.Resources() {
		all = append(all, resource.Resource{
			GroupVersionResource: schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource},
			Subresource:          r.Subresource, Kind: r.Kind, Namespaced: r.Namespaced, Served: true,
			Verbs: r.Verbs, ShortNames: r.ShortNames, Singular: r.Singular,
		})
	}
	return all
})

// customResources returns what CustomResourceDefinitions bring, in the order in which they come. A definition that
// the API server has looked at and does not serve brings nothing.
func customResources(crds []*apiextensionsv1.CustomResourceDefinition) []resource.Resource {
	var all []resource.Resource
	for _, crd := range crds {
		if served(crd) {
			all = append(all, resource.FromCRD(crd)...)
		}
	}
	return all
}

// served reports whether an API server serves a definition. One that no API server has seen yet, because it comes
// from a manifest, counts as served.
func served(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.Established {
			return c.Status == apiextensionsv1.ConditionTrue
		}
	}
	return len(crd.Status.Conditions) == 0
}

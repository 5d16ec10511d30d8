package cluster

import (
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// resourceSet indexes resources. If they are those of the last set this stays, and with it what policies remember about it,
// and that policies which were compiled with it are the same.
func resourceSet(last *resource.Set, all []resource.Resource) *resource.Set {
	if last != nil && reflect.DeepEqual(last.All(), all) {
		return last
	}
	return resource.NewSet(all, builtin.Cohabiting())
}

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

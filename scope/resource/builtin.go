package resource

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/builtin"
)

// Builtin returns what an API server serves without any add-on, in the order of
// registration. The slice is shared and must not be modified.
var Builtin = sync.OnceValue(func() []Resource {
	all := make([]Resource, 0, len(builtin.Resources()))
	for _, r := range builtin.Resources() {
		all = append(all, Resource{
			GroupVersionResource: schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource},
			Subresource:          r.Subresource, Kind: r.Kind, Namespaced: r.Namespaced, Served: true,
			Verbs: r.Verbs, ShortNames: r.ShortNames, Singular: r.Singular,
		})
	}
	return all
})

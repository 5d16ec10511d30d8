package coverage

import (
	"cmp"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// compareResources orders resources as people look for them: the core group first, then by
// group, resource and version.
func compareResources(a, b schema.GroupVersionResource) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Version, b.Version))
}

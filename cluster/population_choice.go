package cluster

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// choice is a resource whose objects are part of the population, in the version in which they are read.
type choice struct {
	schema.GroupVersionResource
	// leftOut is a sentence for a resource that is not read.
	leftOut string
}

// writes are the verbs of which a resource must have one for its objects to meet admission.
var writes = []string{"create", "update", "patch", "delete"}

// choose picks the resources of the population: each that can be listed and written, once. Where the same objects are
// served in several versions, the most mature and then the highest counts, as for "kubectl get".
func choose(set *resource.Set, opts PopulationOptions) []choice {
	best := map[schema.GroupResource]resource.Resource{}
	for _, r := range set.All() {
		if r.Subresource != "" || !r.Served || !allows(r, "list") || !slices.ContainsFunc(writes, func(verb string) bool { return allows(r, verb) }) {
			continue
		}
		key := storedAs(r.GroupResource())
		if before, ok := best[key]; !ok || better(r, before) {
			best[key] = r
		}
	}
	all := make([]choice, 0, len(best))
	for _, r := range best {
		c := choice{GroupVersionResource: r.GroupVersionResource}
		switch {
		case opts.leavesOut(r):
			c.leftOut = "It is left out by the settings."
		case !allows(r, "watch"):
			c.leftOut = "It can be listed but not watched, so it is left out."
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b choice) int { return byGroupAndName(a.GroupVersionResource, b.GroupVersionResource) })
	return all
}

// allows reports whether a resource has a verb. Those of a CustomResourceDefinition come without verbs and have all.
func allows(r resource.Resource, verb string) bool {
	return len(r.Verbs) == 0 || slices.Contains(r.Verbs, verb)
}

// storedAs names what the API server stores for a resource: the first of those that share their storage.
func storedAs(gr schema.GroupResource) schema.GroupResource {
	for _, same := range builtin.Cohabiting() {
		if slices.Contains(same, gr) {
			return same[0]
		}
	}
	return gr
}

// better reports whether a resource is to be read rather than another one with the same objects.
func better(a, b resource.Resource) bool {
	if a.Group != b.Group {
		return a.GroupResource() == storedAs(a.GroupResource())
	}
	return version.CompareKubeAwareVersionStrings(a.Version, b.Version) > 0
}

func byGroupAndName(a, b schema.GroupVersionResource) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Resource, b.Resource), strings.Compare(a.Version, b.Version))
}

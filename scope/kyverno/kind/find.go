package kind

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// Find returns the served resources that the selector names, in the order of the set
// (pkg/clients/dclient/discovery.go, findResources). A selector with a subresource finds subresources only, except
// that */* finds everything.
//
// A subresource is looked for by the name of its resource, in whatever group and version it is served. Where several
// versions serve it, Kyverno takes for each a version by chance; here all of them are found.
func (s Selector) Find(set *resource.Set) []resource.Resource {
	var parents []resource.Resource
	for _, r := range set.All() {
		if r.Served && r.Subresource == "" && s.Names(r.Kind) {
			parents = append(parents, r)
		}
	}
	if s.Subresource == "" {
		return parents
	}
	var found []resource.Resource
	for _, parent := range parents {
		if s.Kind == "*" && s.Subresource == "*" {
			found = append(found, parent)
		}
		found = append(found, s.below(parent, set)...)
	}
	return found
}

// below returns the subresources of a resource that the selector names, under the group and version of the resource.
func (s Selector) below(parent resource.Resource, set *resource.Set) []resource.Resource {
	var found []resource.Resource
	for _, r := range set.All() {
		if !r.Served || r.Subresource == "" || r.Resource != parent.Resource || !Like(s.Subresource, r.Subresource) {
			continue
		}
		if slices.ContainsFunc(found, func(f resource.Resource) bool { return f.Subresource == r.Subresource }) {
			continue
		}
		r.GroupVersionResource = parent.GroupVersionResource
		found = append(found, r)
	}
	return found
}

// Package resource knows which resources an API server serves: their kinds, scopes and
// subresources, and which of them are the same objects in another version.
package resource

import (
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resource is one resource, or one subresource of it, in one version.
type Resource struct {
	schema.GroupVersionResource
	// Subresource is empty for the resource itself.
	Subresource string
	// Kind is the kind of the object that a request to it carries: Scale for
	// deployments/scale, PodExecOptions for pods/exec.
	Kind       schema.GroupVersionKind
	Namespaced bool
	// Served is false for a version that a CustomResourceDefinition lists but does not
	// serve: no request can name it, but it still counts as equivalent.
	Served bool
	// ConvertedByWebhook is true for a custom resource whose versions only its own webhook
	// can convert.
	ConvertedByWebhook bool
	Verbs              []string
	// ShortNames are what kubectl accepts beside the plural: deploy, cm.
	ShortNames []string
	Singular   string
}

// Set is an immutable set of resources, indexed by kind and by resource.
type Set struct {
	all        []Resource
	byKind     map[schema.GroupVersionKind]int
	byResource map[key]int
	registry   runtime.EquivalentResourceRegistry
}

type key struct {
	gvr         schema.GroupVersionResource
	subresource string
}

// NewSet indexes resources. Their order is the order of registration, which decides
// which equivalent the API server tries first. Cohabiting lists the resources of
// different groups that share storage and therefore are equivalent too.
func NewSet(all []Resource, cohabiting [][]schema.GroupResource) *Set {
	storage := map[schema.GroupResource]string{}
	for _, group := range cohabiting {
		for _, gr := range group {
			storage[gr] = "/" + group[0].String()
		}
	}
	s := &Set{
		all:        all,
		byKind:     make(map[schema.GroupVersionKind]int, len(all)),
		byResource: make(map[key]int, len(all)),
		registry: runtime.NewEquivalentResourceRegistryWithIdentity(func(gr schema.GroupResource) string {
			return storage[gr]
		}),
	}
	for i, r := range all {
		k := key{r.GroupVersionResource, r.Subresource}
		if _, dup := s.byResource[k]; dup {
			continue
		}
		s.byResource[k] = i
		s.registry.RegisterKindFor(r.GroupVersionResource, r.Subresource, r.Kind)
		if r.Subresource != "" {
			continue
		}
		if _, dup := s.byKind[r.Kind]; !dup {
			s.byKind[r.Kind] = i
		}
	}
	return s
}

// All returns every resource in registration order; the slice must not be modified.
func (s *Set) All() []Resource { return s.all }

// ForKind returns the resource whose objects have that kind.
func (s *Set) ForKind(kind schema.GroupVersionKind) (Resource, bool) {
	i, ok := s.byKind[kind]
	if !ok {
		return Resource{}, false
	}
	return s.all[i], true
}

// Find returns a resource or a subresource of it.
func (s *Set) Find(gvr schema.GroupVersionResource, subresource string) (Resource, bool) {
	i, ok := s.byResource[key{gvr, subresource}]
	if !ok {
		return Resource{}, false
	}
	return s.all[i], true
}

// Subresources returns the names of the subresources of a resource, sorted.
func (s *Set) Subresources(gvr schema.GroupVersionResource) []string {
	var names []string
	for _, r := range s.all {
		if r.GroupVersionResource == gvr && r.Subresource != "" {
			names = append(names, r.Subresource)
		}
	}
	sort.Strings(names)
	return names
}

// KindsLike returns the known kinds whose name equals kind but for case, or whose
// group and version differ; it is what a sentence about an unknown kind offers.
func (s *Set) KindsLike(kind string) []schema.GroupVersionKind {
	var like []schema.GroupVersionKind
	for _, r := range s.all {
		if r.Subresource == "" && strings.EqualFold(r.Kind.Kind, kind) {
			like = append(like, r.Kind)
		}
	}
	return like
}

// Equivalents is the mapper that the API server's matching asks under matchPolicy
// Equivalent.
func (s *Set) Equivalents() runtime.EquivalentResourceMapper { return s.registry }

package scope

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// Compiler turns the objects of a cluster into policies of one kind. It may remember what
// it compiled, and is safe for concurrent use.
type Compiler interface {
	// Kinds lists the kinds of object that the policies are made of, in the order in which
	// they are counted.
	Kinds() []ObjectKind
	// Policies returns the policies in the order in which a request meets them.
	Policies(Objects) []*Policy
}

// Parametrised is a Compiler whose policies take parameters, which have to be read, too.
type Parametrised interface {
	// ParamKinds returns the kinds of the parameters, each once, in order.
	ParamKinds(Objects) []schema.GroupVersionKind
}

// Preset is a Compiler for kinds of which every API server has some objects by itself.
type Preset interface {
	// Defaults returns what the API server of builtin.Version creates. They stand in where
	// manifests have no object of their kind.
	Defaults() []runtime.Object
}

// Objects are what policies are compiled from: decoded, with the API server's defaults.
type Objects struct {
	// Of holds the objects by their kind; an object that could not be decoded is missing.
	Of map[schema.GroupKind][]runtime.Object
	// Complete reports whether Of has all objects of a kind. It may have none although
	// there are some, because they cannot be read or are still being read. A Custom kind that
	// is not served has none, and so has a Custom or Named kind of which manifests have none.
	Complete func(schema.GroupKind) bool
	// Origin says where an object was found; it may be empty.
	Origin func(kind schema.GroupKind, namespace, name string) string
	// Resources are what the API server serves, for policies that name kinds; nil if that is
	// not known. The policies are compiled again when it changes.
	Resources *resource.Set
}

// Typed returns the objects of a Go type among those of a kind.
func Typed[T runtime.Object](o Objects, kind schema.GroupKind) []T {
	var all []T
	for _, object := range o.Of[kind] {
		if decoded, ok := object.(T); ok {
			all = append(all, decoded)
		}
	}
	return all
}

// ObjectKind is a kind of object that Ambit reads.
type ObjectKind struct {
	schema.GroupKind
	// Resource is what the kind is called in URLs.
	Resource string
	// Plural is what the kind is called in a sentence.
	Plural string
	// Versions are those that can be read, the best first. The objects have the same fields in
	// all of them as far as Ambit looks, and are decoded as the first.
	Versions []string
	// Without completes "... cannot be read: forbidden; ". A kind without it is not missed.
	Without string
	// Named is the name of the only objects that matter, whatever namespace they are in; empty
	// if all of them do. Objects of other names are not read, and those of this name remain
	// objects like all others of their kind: parameters, and part of the population.
	Named string
	// Namespaced says that the objects are in namespaces.
	Namespaced bool
	// Custom says that a CustomResourceDefinition brings the kind. An API server without it
	// lacks nothing: it has no such objects. Manifests may have them without the definition.
	Custom bool
}

// Decoded is the kind in the version that its objects are decoded as.
func (k ObjectKind) Decoded() schema.GroupVersionKind { return k.WithVersion(k.Versions[0]) }

// In is the resource in a version.
func (k ObjectKind) In(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: version, Resource: k.Resource}
}

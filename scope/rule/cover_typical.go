package rule

import (
	"iter"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// typical gives the typical requests of the entries of a rule: one for every combination of
// entries, in a namespace and outside of one. Not all of them match the rule, because of
// its scope.
func typical(e entries) iter.Seq[Typical] {
	return func(yield func(Typical) bool) {
		for gvr, subresource := range e.places() {
			for _, operation := range e.operations {
				for _, name := range e.names {
					for _, namespaced := range []bool{true, false} {
						t := Typical{Operation: admission.Operation(operation), Resource: gvr, Subresource: subresource, Namespaced: namespaced, Name: name}
						if !yield(t) {
							return
						}
					}
				}
			}
		}
	}
}

// places gives every combination of group, version and resource.
func (e entries) places() iter.Seq2[schema.GroupVersionResource, string] {
	return func(yield func(schema.GroupVersionResource, string) bool) {
		for _, group := range e.groups {
			for _, version := range e.versions {
				for _, r := range e.resources {
					if !yield(schema.GroupVersionResource{Group: group, Version: version, Resource: r[0]}, r[1]) {
						return
					}
				}
			}
		}
	}
}

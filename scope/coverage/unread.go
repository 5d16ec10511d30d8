package coverage

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/ambit-k8s/ambit/scope"
)

// metadataFields are the fields of metadata beside those that a population knows.
var metadataFields = []string{"generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "annotations", "ownerReferences", "finalizers"}

// unread lists the paths that are open in an object of which nothing but name, namespace
// and labels is known. They are the uppermost ones that hold nothing known, so that
// nothing is said about what lies between. Whoever looks at an object as a whole sees
// nothing of it, unless others share the request, who see the fields that are known. An
// object of a Go type certainly has no field that the type does not have.
func unread(content *scope.Part, t reflect.Type, side string, shared bool) []string {
	if content == nil {
		return nil
	}
	fields := content.Fields
	if content.Whole {
		if !shared {
			return []string{side}
		}
		fields = maps.Clone(fields)
		if fields == nil {
			fields = map[string]*scope.Part{}
		}
		fields["metadata"], fields["spec"], fields["status"] = &scope.Part{Whole: true}, &scope.Part{}, &scope.Part{}
	}
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field := fields[name]
		switch whole := field.Whole || field.Items != nil; {
		case t != nil && fieldOf(t, name).typ == nil:
		case name != "metadata", whole && !shared:
			paths = append(paths, side+element(name))
		case whole:
			for _, known := range metadataFields {
				paths = append(paths, side+".metadata."+known)
			}
		default:
			for _, inner := range slices.Sorted(maps.Keys(field.Fields)) {
				paths = append(paths, side+".metadata"+element(inner))
			}
		}
	}
	return paths
}

// element writes a name as the next element of a path.
func element(name string) string {
	if len(validation.IsCIdentifier(name)) == 0 {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

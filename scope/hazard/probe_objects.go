package hazard

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
)

// giveObjects fills in the objects: there is none where admission has null, and the rest is
// open but for what is known.
func (v *view) giveObjects(request *scope.Request, c *condition.Conditions, at *reached, p probe) {
	if at.operation == admission.Update || at.operation == admission.Delete || p.objectsThere {
		request.OldObject = anyObject(at, nil)
		if p.object == kindOnly {
			request.Open = append(request.Open, v.world.openObject(c, "oldObject", p)...)
		} else {
			request.Open = append(request.Open, open("oldObject")...)
		}
	}
	switch {
	case at.operation == admission.Connect && !p.anyResource:
		options := anyObject(at, nil)
		delete(options.Object, "metadata")
		request.Object = options
		request.Open = append(request.Open, v.world.openFields(c, "object", "metadata", nil)...)
	case at.operation == admission.Delete && !p.objectsThere:
	case p.object == openObject:
		request.Object = anyObject(at, nil)
		request.Open = append(request.Open, open("object")...)
	case p.object == kindOnly:
		request.Object = anyObject(at, nil)
		request.Open = append(request.Open, v.world.openObject(c, "object", p)...)
	default:
		metadata, settled := v.known(p.object)
		request.Object = anyObject(at, metadata)
		request.Open = append(request.Open, v.world.openFields(c, "object", "", settled)...)
	}
}

// openObject opens all of an object but its type, and that as well if the request may be for
// any resource.
func (w *world) openObject(c *condition.Conditions, variable string, p probe) []scope.Missing {
	all := w.openFields(c, variable, "", nil)
	if p.anyResource {
		all = append(all, open(variable+".apiVersion", variable+".kind")...)
	}
	return all
}

// anyObject is an object of the kind that a policy sees.
func anyObject(at *reached, metadata map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{}}}
	if metadata != nil {
		u.Object["metadata"] = metadata
	}
	u.SetGroupVersionKind(at.matched.Kind)
	return u
}

// openFields opens all fields of an object that conditions read, but its type and what is
// settled: the one field, and the given fields of its metadata. That it is not null stays
// known, unless the object is read whole.
func (w *world) openFields(c *condition.Conditions, variable, field string, metadata []string) []scope.Missing {
	for _, tree := range w.treesOf(c) {
		if tree != nil && readsWhole(tree, variable) {
			return open(variable)
		}
	}
	var all []scope.Missing
	for _, path := range w.pathsOf(c) {
		switch {
		case path[0] != variable || len(path) == 1 || path[1] == field:
		case path[1] == "apiVersion" || path[1] == "kind":
		case path[1] != "metadata" || len(path) == 2:
			all = append(all, open(variable+"."+path[1])...)
		case !slices.Contains(metadata, path[2]):
			all = append(all, open(variable+".metadata."+path[2])...)
		}
	}
	return all
}

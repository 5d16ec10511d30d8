package resource

import (
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission"
)

// Connects reports whether requests for the resource connect to something: they carry an object of a kind of its own, which
// has nothing but options, whatever the verb is (k8s.io/apiserver/pkg/endpoints/installer.go).
func (r Resource) Connects() bool {
	return r.Subresource != "" && r.Kind.Group == "" && strings.HasSuffix(r.Kind.Kind, "Options")
}

// Operations are those that admission sees for the resource. A custom resource has no verbs where its definition was read:
// it has all of them then, and its subresources are updated.
func (r Resource) Operations() []admission.Operation {
	switch {
	case r.Connects():
		return []admission.Operation{admission.Connect}
	case len(r.Verbs) == 0 && r.Subresource == "":
		return []admission.Operation{admission.Create, admission.Update, admission.Delete}
	case len(r.Verbs) == 0:
		return []admission.Operation{admission.Update}
	}
	has := func(verbs ...string) bool {
		return slices.ContainsFunc(verbs, func(v string) bool { return slices.Contains(r.Verbs, v) })
	}
	var all []admission.Operation
	if has("create") {
		all = append(all, admission.Create)
	}
	if has("update", "patch") {
		all = append(all, admission.Update)
	}
	if has("delete", "deletecollection") {
		all = append(all, admission.Delete)
	}
	return all
}

package views

import (
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Access is the part of the request builder that says what a request without an object is
// for: a resource, or another URL.
type Access struct {
	Verb, Resource, Path Field
	// AllNamespaces is shown where a person may say it: not for a URL, and not where the text
	// says it already.
	AllNamespaces Switch
	// NoNamespace stands in the field of the namespace while it is empty.
	NoNamespace string
}

// The verbs that requests usually have; the field takes others, too, if the text has one.
var (
	resourceVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}
	urlVerbs      = []string{"get", "head", "post", "put", "patch", "delete", "options"}
)

// noSubresource is the choice of the resource itself.
const noSubresource = "no subresource"

// The fields that both sorts of request have, and those that only one of them has. A field
// of the other sort keeps what was said in it, unseen.
var (
	commonFields = []string{"user", "groups", "subresource", "name", "namespace", "document"}
	objectFields = []string{"operation", "oldObject", "dryRun", "collection"}
	accessFields = []string{"verb", "resource", "path", "allNamespaces"}
)

// saysAny reports whether a person has set one of some fields.
func saysAny(said map[string]string, fields []string) bool {
	return slices.ContainsFunc(fields, func(name string) bool { return said[name] != "" })
}

// newAccess shows the fields as they were said before there was a request.
func newAccess(b builder) *Access {
	a := &Access{
		Verb: b.field("verb", "", ""), Resource: b.field("resource", "", ""), Path: b.field("path", "", ""),
		AllNamespaces: Switch{On: b.said["allNamespaces"] != "", Shown: true}, NoNamespace: "no namespace",
	}
	a.Verb.Options, a.Verb.Empty, a.Resource.List = append([]string{""}, resourceVerbs...), "some verb", resourcesList
	return a
}

// access shows what a request without an object is for.
func (a *Ask) access(d *request.Derived, resources *resource.Set, b builder) {
	r := d.Request
	v := newAccess(b)
	a.Access = v
	v.Verb = b.field("verb", "request.verb", strings.Join(r.Access.Verbs, " or "))
	v.Path = b.field("path", "request.path", r.Access.Path)
	if !r.Access.ForResource() {
		v.Verb.Options, v.AllNamespaces.Shown = urlVerbs, false
		return
	}
	v.Verb.Options = resourceVerbs
	v.Resource = b.field("resource", "request.resource", r.Resource.GroupResource().String())
	v.Resource.List = resourcesList
	a.Subresource = b.field("subresource", "request.subresource", r.Subresource)
	if resources != nil {
		a.Subresource.Empty = noSubresource
		a.Subresource.Options = append([]string{""}, subresources(resources, r.Resource.Group, r.Resource.Resource)...)
	}
	a.Namespace, a.Name = b.field("namespace", "request.namespace", r.Access.Namespace), b.field("name", "request.name", r.Name)
	namespaced, known := inNamespaces(resources, r.Resource.Group, r.Resource.Resource)
	switch {
	case known && !namespaced:
		v.AllNamespaces.Shown = v.AllNamespaces.On
	case r.Access.Namespace == "":
		v.NoNamespace, v.AllNamespaces.Shown = "all namespaces", v.AllNamespaces.On
	}
}

// subresources are those of a resource in any version.
func subresources(resources *resource.Set, group, name string) []string {
	var all []string
	for _, r := range resources.All() {
		if r.Group == group && r.GroupVersionResource.Resource == name && r.Subresource != "" && !slices.Contains(all, r.Subresource) {
			all = append(all, r.Subresource)
		}
	}
	slices.Sort(all)
	return all
}

// inNamespaces reports whether the objects of a resource are in namespaces, as far as the
// resource is known.
func inNamespaces(resources *resource.Set, group, name string) (namespaced, known bool) {
	if resources == nil {
		return false, false
	}
	for _, r := range resources.All() {
		if r.Group == group && r.GroupVersionResource.Resource == name && r.Subresource == "" {
			return r.Namespaced, true
		}
	}
	return false, false
}

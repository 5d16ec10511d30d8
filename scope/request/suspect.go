package request

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/request/urlinfo"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// The verbs that requests have: for a resource those that the API server derives from the
// method and the URL, for another URL the method itself
// (k8s.io/apiserver/pkg/endpoints/request/requestinfo.go).
var (
	resourceVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "proxy"}
	urlVerbs      = []string{"get", "head", "post", "put", "patch", "delete", "options", "connect", "trace"}
)

// meant are the verbs that somebody means who takes the one kind for the other.
var (
	meantForResource = map[string]string{"post": "create", "put": "update", "head": "get"}
	meantForURL      = map[string]string{"create": "post", "update": "put", "list": "get", "watch": "get", "deletecollection": "delete"}
)

// suspect warns of what no request to an API server is like. It is answered all the same.
func (d *draft) suspect(a *attributes) {
	for _, verb := range a.verbs {
		d.suspectVerb(verb, a.path == "")
	}
	if a.path == "" {
		d.suspectResource(a)
		d.suspectNamespace(a)
		return
	}
	if info, err := urlinfo.Read("GET", a.path); err == nil && info.IsResourceRequest {
		d.warn("request.path", fmt.Sprintf("the API server takes %s for a request for %s, and asks no nonResourceRules about it", a.path, info.Resource),
			"say the resource, or write the line GET "+oneWord(a.path))
	}
}

func oneWord(path string) string {
	if strings.ContainsAny(path, " '\"\\") {
		return "'" + path + "'"
	}
	return path
}

func (d *draft) suspectVerb(verb string, forResource bool) {
	verbs, meant := urlVerbs, meantForURL
	if forResource {
		verbs, meant = resourceVerbs, meantForResource
	}
	lower := strings.ToLower(verb)
	switch {
	case slices.Contains(verbs, verb):
	case verb == "*":
		d.warn("request.verb", "* stands for every verb in authorization only; a request has one verb, and only rules with * match it like this", "say the verb of the request")
	case slices.Contains(verbs, lower):
		d.warn("request.verb", fmt.Sprintf("verbs have small letters, so that no request has the verb %s", verb), "say "+lower)
	case meant[lower] != "" && forResource:
		d.warn("request.verb", fmt.Sprintf("no request for a resource has the verb %s", verb), "say "+meant[lower])
	case meant[lower] != "":
		d.warn("request.verb", fmt.Sprintf("the verb of a request that is not for a resource is its HTTP method, and HTTP knows none called %s", verb), "say "+meant[lower])
	default:
		d.warn("request.verb", fmt.Sprintf("no request has the verb %s", verb), "say "+strings.Join(verbs, ", "))
	}
}

// suspectResource warns of a resource that the cluster does not have.
func (d *draft) suspectResource(a *attributes) {
	gvr := a.resource
	if gvr.Resource == "*" {
		d.warn("request.resource", "* stands for every resource in authorization only; a request is for one resource, and only rules with * match it like this", "say the resource of the request")
		return
	}
	if _, known := d.served(gvr); known {
		d.suspectSubresource(a)
		return
	}
	var inGroup, elsewhere []string
	for _, r := range d.resources.All() {
		switch name := groupName(r.Group); {
		case r.Subresource != "" || !r.Served || r.GroupVersionResource.Resource != gvr.Resource:
		case r.Group == gvr.Group:
			inGroup = append(inGroup, r.Version)
		case !slices.Contains(elsewhere, name):
			elsewhere = append(elsewhere, name)
		}
	}
	switch {
	case len(inGroup) > 0:
		d.warn("request.version", fmt.Sprintf("the cluster does not serve %s in version %s; flow control looks at no version", gvr.GroupResource(), gvr.Version), "it has "+strings.Join(inGroup, ", "))
	case len(elsewhere) > 0:
		d.warn("request.group", fmt.Sprintf("the cluster has no %s in the group %s", gvr.Resource, groupName(gvr.Group)), "say the group "+strings.Join(elsewhere, " or "))
	default:
		d.warnUnknown(gvr)
	}
}

func (d *draft) warnUnknown(gvr schema.GroupVersionResource) {
	message := fmt.Sprintf("the cluster has no resource %s, as far as Ambit knows", gvr.GroupResource())
	if parent, sub, ok := strings.Cut(gvr.Resource, "/"); ok {
		d.warn("request.resource", message, fmt.Sprintf("say the resource %s and the subresource %s", parent, sub))
		return
	}
	hint := "check the spelling"
	if found, _, problem := findType(d.resources, gvr.Resource); problem == nil {
		hint = fmt.Sprintf("the resource is called %s in the group %s", found.GroupVersionResource.Resource, groupName(found.Group))
	} else if strings.HasPrefix(problem.hint, "near is ") {
		hint, _, _ = strings.Cut(problem.hint, ";")
	}
	d.warn("request.resource", message, hint)
}

// suspectSubresource warns of a subresource that a resource does not have.
func (d *draft) suspectSubresource(a *attributes) {
	found, _ := d.served(a.resource)
	if _, ok := d.resources.Find(found.GroupVersionResource, a.subresource); ok {
		return
	}
	hint := "leave it out"
	if has := d.resources.Subresources(found.GroupVersionResource); len(has) > 0 {
		hint = "it has " + strings.Join(has, ", ")
	}
	d.warn("request.subresource", fmt.Sprintf("%s has no subresource %s", a.resource.GroupResource(), a.subresource), hint)
}

// served finds a resource that is served; a review may leave out the version, which flow
// control does not look at.
func (d *draft) served(gvr schema.GroupVersionResource) (resource.Resource, bool) {
	for _, r := range d.resources.All() {
		if r.Served && r.Subresource == "" && r.GroupResource() == gvr.GroupResource() && (anyVersion(gvr.Version) || r.Version == gvr.Version) {
			return r, true
		}
	}
	return resource.Resource{}, false
}

func anyVersion(version string) bool { return version == "" || version == "*" }

// suspectNamespace warns of a namespace that a review says and no URL can have. What was
// put together here is right already.
func (d *draft) suspectNamespace(a *attributes) {
	found, known := d.served(a.resource)
	switch {
	case !a.literal:
	case isNamespace(a.resource) && a.name != "" && ofOne(a.verbs) && a.namespace != a.name:
		d.warn("request.namespace", fmt.Sprintf("the API server finds a request for the Namespace %s in the namespace %s", a.name, a.name), "say this namespace")
	case isNamespace(a.resource):
	case known && !found.Namespaced && a.namespace != "":
		d.warn("request.namespace", fmt.Sprintf("%s are in no namespace, so that no request for them has one", a.resource.GroupResource()), "leave the namespace out")
	case known && found.Namespaced && a.namespace == "" && ofOneOrNew(a.verbs):
		d.warn("request.namespace", fmt.Sprintf("no request to %s %s is to all namespaces at once, as an empty namespace means", strings.Join(a.verbs, " or "), a.resource.GroupResource()), "say the namespace")
	}
}

func ofOneOrNew(verbs []string) bool { return ofOne(verbs) || slices.Contains(verbs, "create") }

func groupName(group string) string {
	if group == "" {
		return "core (an empty name)"
	}
	return group
}

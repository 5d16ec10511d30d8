package request

import (
	"fmt"
	"slices"
	"strings"
)

// acrossNamespaces are the verbs of requests that can be to all namespaces at once.
var acrossNamespaces = []string{"list", "watch", "deletecollection"}

// placeAccess finds the namespace of a request for a resource as the API server reads it
// from the URL that the request has.
func (d *draft) placeAccess(a *attributes) {
	found, known := d.served(a.resource)
	switch {
	case isNamespace(a.resource):
		d.placeNamespace(a)
	case known && !found.Namespaced:
		if a.namespace != "" {
			d.warn("request.namespace", fmt.Sprintf("%s are in no namespace, so that %s is ignored", a.resource.GroupResource(), a.namespace), "leave it out")
		}
		a.namespace = ""
	case a.namespaceSaid && a.namespace == "" && !slices.ContainsFunc(a.verbs, spansNamespaces):
		d.complain("request.namespace", fmt.Sprintf("no request to %s is to all namespaces at once", strings.Join(a.verbs, " or ")), "say the namespace")
	case !a.namespaceSaid:
		a.namespace = "default"
		d.guess("request.namespace", "default", "nobody said a namespace")
	}
}

func spansNamespaces(verb string) bool { return verb == "*" || slices.Contains(acrossNamespaces, verb) }

// placeNamespace finds the namespace of a request for Namespaces: one of them is in
// itself, also where something is created below it, and all of them, as well as a new one,
// are in none.
func (d *draft) placeNamespace(a *attributes) {
	below := a.name != "" && a.subresource != ""
	if !ofOne(a.verbs) && !below {
		a.namespace = ""
		return
	}
	if a.name == "" {
		d.complain("request.name", fmt.Sprintf("a request to %s a Namespace is in the namespace of that name, and nobody said the name", strings.Join(a.verbs, " or ")),
			"say the name, or the verb list for all of them")
		return
	}
	a.namespace = a.name
}

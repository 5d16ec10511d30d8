package request

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// access is what flow control sees of a request that reaches admission.
func (d *draft) access() scope.Access {
	r := &d.request
	a := scope.Access{
		Verbs: d.saidVerb(d.verbs()), APIGroup: r.Resource.Group, Resource: r.Resource.Resource, Subresource: r.Subresource, Namespace: r.Namespace,
	}
	if !isNamespace(r.Resource) {
		return a
	}
	// The URL of a request to one Namespace has its name where others have their namespace
	// (k8s.io/apiserver/pkg/endpoints/request/requestinfo.go).
	a.Namespace = ""
	if ofOne(a.Verbs) {
		if a.Namespace = r.Name; r.Name == "" {
			d.problems = append(d.problems, d.document.Problem(manifest.Warning, "",
				"flow control is not asked, because a request to a Namespace is in the namespace of its name, and nobody said the name", "give the Namespace a name"))
			return scope.Access{}
		}
	}
	return a
}

// saidVerb is the verb that was said, if a request like this can have it. A new object may
// have been applied, even where that is not the first guess.
func (d *draft) saidVerb(verbs []string) []string {
	said := d.ask.Verb
	switch {
	case said == "":
		return verbs
	case slices.Contains(verbs, said), d.request.Operation == admission.Create && said == "patch" && d.request.Options == nil:
		return []string{said}
	}
	d.fail("", fmt.Sprintf("a request with the operation %s does not have the verb %s here", d.request.Operation, said), "say "+strings.Join(verbs, " or ")+", or leave it out")
	return verbs
}

// ofOne reports whether requests with these verbs have a name in their URL.
func ofOne(verbs []string) bool {
	for _, verb := range verbs {
		switch verb {
		case "get", "update", "patch", "delete":
			return true
		}
	}
	return false
}

// verbs are the verbs with which a request that reaches admission may have been sent. An
// object is created with a POST, or by applying it, which is a patch; the options tell the
// two apart (k8s.io/apiserver/pkg/endpoints/handlers).
func (d *draft) verbs() []string {
	r := &d.request
	switch r.Options.(type) {
	case *metav1.PatchOptions:
		return []string{"patch"}
	case *metav1.UpdateOptions:
		return []string{"update"}
	case *metav1.CreateOptions:
		return []string{"create"}
	}
	switch r.Operation {
	case admission.Create:
		return []string{"create"}
	case admission.Update:
		return d.serving("update", "patch")
	case admission.Delete:
		if d.ask.Collection || d.isReview && r.Name == "" {
			return []string{"deletecollection"}
		}
		return []string{"delete"}
	case admission.Connect:
		return d.connecting()
	}
	return nil
}

// serving leaves out the verbs that the API server does not serve, as it serves no patch of
// namespaces/finalize.
func (d *draft) serving(verbs ...string) []string {
	serves := func(verb string) bool { return slices.Contains(d.target.Verbs, verb) }
	if !slices.ContainsFunc(verbs, serves) {
		return verbs
	}
	return slices.DeleteFunc(verbs, func(verb string) bool { return !serves(verb) })
}

// connecting are the verbs of the methods by which something is connected to. A proxy
// passes nearly every method on, everything else is a GET or a POST
// (k8s.io/kubernetes/pkg/registry/core/pod/rest/subresources.go).
func (d *draft) connecting() []string {
	if d.request.Subresource == "proxy" {
		return []string{"create", "get", "update", "patch", "delete"}
	}
	return []string{"create", "get"}
}

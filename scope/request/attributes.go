package request

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request/urlinfo"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// attributes are what a request for flow control is made of, while it is put together.
type attributes struct {
	// verbs has several entries where what was said leaves open which.
	verbs []string
	// path is that of a request that is not for a resource.
	path                   string
	resource               schema.GroupVersionResource
	subresource, name      string
	namespace              string
	namespaceSaid, literal bool
}

// placer makes problems about a part of the request: the path of a field of Access, such
// as request.verb.
type placer func(severity manifest.Severity, part, message, hint string) manifest.Problem

func (d *draft) complain(part, message, hint string) {
	d.problems = append(d.problems, d.place(manifest.Error, part, message, hint))
}

func (d *draft) warn(part, message, hint string) {
	d.problems = append(d.problems, d.place(manifest.Warning, part, message, hint))
}

// override lets what was said beside the text go before what the text says.
func (d *draft) override(a *attributes) {
	ask := &d.ask
	switch {
	case ask.Path != "" && ask.Resource != "":
		d.complain("request.path", "a request is either for a resource or for another URL path", "say only one of them")
	case ask.Namespace != "" && ask.AllNamespaces:
		d.complain("request.namespace", "a request is either to one namespace or to all", "say only one of them")
	case ask.Resource != "":
		d.overrideResource(a)
	case ask.Path != "":
		d.overridePath(a)
	}
	if ask.Verb != "" {
		a.verbs = []string{ask.Verb}
	}
	if a.path != "" || d.failed() {
		return
	}
	if ask.Subresource != "" {
		a.subresource = ask.Subresource
	}
	if ask.Name != "" {
		a.name, a.literal = ask.Name, false
	}
	if ask.Namespace != "" || ask.AllNamespaces {
		a.namespace, a.namespaceSaid = ask.Namespace, true
	}
}

func (d *draft) overrideResource(a *attributes) {
	found, ok := d.lookUp(d.ask.Resource)
	if !ok {
		return
	}
	if a.path != "" && d.ask.Verb == "" && !slices.Contains(resourceVerbs, strings.Join(a.verbs, "")) {
		a.verbs = []string{"get"}
		d.guess("request.verb", "get", "nobody said the verb")
	}
	a.path, a.resource, a.subresource, a.literal = "", found.GroupVersionResource, "", false
}

// lookUp finds the resource that a word means, and tells if it means several.
func (d *draft) lookUp(word string) (resource.Resource, bool) {
	found, others, problem := findType(d.resources, word)
	if problem != nil {
		d.complain("request.resource", problem.message, problem.hint)
		return found, false
	}
	if len(others) > 0 {
		why := "kubectl takes the core group first"
		if found.Group != "" {
			why = "kubectl takes the group that the server lists first"
		}
		d.guess("request.resource", found.GroupResource().String(), fmt.Sprintf("%s is also %s, and %s", word, names(others), why))
	}
	return found, true
}

// methods are the HTTP methods by which a verb is sent.
var methods = map[string]string{
	"get": "GET", "list": "GET", "watch": "GET", "head": "HEAD", "create": "POST", "post": "POST", "update": "PUT", "put": "PUT",
	"patch": "PATCH", "delete": "DELETE", "deletecollection": "DELETE", "options": "OPTIONS",
}

// overridePath takes another URL path. The verb stays as far as requests to paths have it.
func (d *draft) overridePath(a *attributes) {
	verb := d.ask.Verb
	if verb == "" && a.path != "" {
		verb = strings.Join(a.verbs, "")
	}
	if verb == "" {
		verb = "get"
		d.guess("request.verb", "get", "nobody said the verb")
	}
	method, ok := methods[strings.ToLower(verb)]
	if !ok {
		method = strings.ToUpper(verb)
	}
	d.readURL(a, method, d.ask.Path)
	if a.path != "" {
		a.verbs = []string{verb}
	}
	d.ask.Verb = ""
}

// readURL takes the request that the API server takes a method and a URL for.
func (d *draft) readURL(a *attributes, method, target string) {
	info, err := urlinfo.Read(method, target)
	if err != nil {
		d.complain("request.path", "the URL cannot be read: "+err.Error(), "write a path, such as /healthz or /api/v1/pods")
		return
	}
	if info.Verb == "" {
		d.complain("request.verb", fmt.Sprintf("a resource takes no %s", method), "say GET, POST, PUT, PATCH or DELETE")
		return
	}
	*a = attributes{verbs: []string{info.Verb}, literal: true, namespaceSaid: true}
	if !info.IsResourceRequest {
		a.path = info.Path
		return
	}
	a.resource = schema.GroupVersionResource{Group: info.APIGroup, Version: info.APIVersion, Resource: info.Resource}
	a.subresource, a.name, a.namespace = info.Subresource, info.Name, info.Namespace
	d.guess("request.resource", fmt.Sprintf("%s, with the verb %s", resourceName(resource.Resource{GroupVersionResource: a.resource, Subresource: a.subresource}), info.Verb),
		"the API server takes "+method+" "+info.Path+" for a request for it")
}

// finishAccess makes the request out of its attributes.
func (d *draft) finishAccess(a attributes) json.RawMessage {
	if d.failed() {
		return nil
	}
	if d.override(&a); d.failed() {
		return nil
	}
	if a.path == "" && a.resource.Resource == "" {
		d.complain("request.resource", "nobody said what the request is for", "say a resource, such as pods, or a URL path")
		return nil
	}
	if len(a.verbs) == 0 {
		d.complain("request.verb", "nobody said the verb of the request", "say one, such as get, list or create")
		return nil
	}
	if a.path == "" && !a.literal {
		if d.placeAccess(&a); d.failed() {
			return nil
		}
	}
	d.suspect(&a)
	if d.ask.Operation != "" || d.ask.OldObject != nil || d.ask.Collection {
		d.warn("request.operation", "flow control alone is asked, so that the operation, the old object and whether it is for all objects do not count", "say the verb of the request")
	}
	d.asker()
	r := &d.request
	r.Access = scope.Access{
		Verbs: a.verbs, Path: a.path, APIGroup: a.resource.Group, Resource: a.resource.Resource, Subresource: a.subresource, Namespace: a.namespace,
	}
	r.Resource, r.Subresource, r.Namespace, r.Name = a.resource, a.subresource, a.namespace, a.name
	data, err := json.Marshal(d.accessSpec(&a))
	if err != nil {
		d.complain("", "the request cannot be written as JSON: "+err.Error(), "correct it")
		return nil
	}
	return data
}

// accessSpec writes the request as a SubjectAccessReview has it. What is open is left out.
func (d *draft) accessSpec(a *attributes) authorizationv1.SubjectAccessReviewSpec {
	var spec authorizationv1.SubjectAccessReviewSpec
	var verb string
	if len(a.verbs) == 1 {
		verb = a.verbs[0]
	}
	if a.path != "" {
		spec.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Path: a.path, Verb: verb}
	} else {
		spec.ResourceAttributes = &authorizationv1.ResourceAttributes{
			Namespace: a.namespace, Verb: verb, Group: a.resource.Group, Version: a.resource.Version,
			Resource: a.resource.Resource, Subresource: a.subresource, Name: a.name,
		}
	}
	u := d.knownUser()
	if u == nil {
		return spec
	}
	spec.User, spec.UID, spec.Groups = u.Username, u.UID, u.Groups
	for key, values := range u.Extra {
		if spec.Extra == nil {
			spec.Extra = map[string]authorizationv1.ExtraValue{}
		}
		spec.Extra[key] = authorizationv1.ExtraValue(values)
	}
	return spec
}

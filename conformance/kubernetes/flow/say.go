package flow

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apirequest "k8s.io/apiserver/pkg/endpoints/request"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/flow/generate"
)

// sayings are the forms in which a request can be said.
func sayings(e *exchange) ([]words, error) {
	info := e.info
	whole, err := review(e, info)
	if err != nil {
		return nil, err
	}
	all := []words{whole}
	if line := kubectlLine(info); line != "" {
		all = append(all, words{mode: Line, text: line + as(e.call.Who)})
	}
	if line := urlLine(e.call); line != "" {
		all = append(all, words{mode: URL, text: line + as(e.call.Who)})
	}
	if object, ok := written(info, e.call.Who); ok {
		all = append(all, object)
	}
	return all, nil
}

// review is a call as a SubjectAccessReview, as the API server itself would make one for its authorization webhook.
func review(e *exchange, info *apirequest.RequestInfo) (words, error) {
	r := authorizationv1.SubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: authorizationv1.SchemeGroupVersion.String(), Kind: "SubjectAccessReview"},
		Spec:     authorizationv1.SubjectAccessReviewSpec{User: e.who.Username, Groups: e.who.Groups},
	}
	if info.IsResourceRequest {
		r.Spec.ResourceAttributes = &authorizationv1.ResourceAttributes{
			Namespace: info.Namespace, Verb: info.Verb, Group: info.APIGroup, Version: info.APIVersion,
			Resource: info.Resource, Subresource: info.Subresource, Name: info.Name,
		}
	} else {
		r.Spec.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Path: info.Path, Verb: info.Verb}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return words{}, fmt.Errorf("write review: %w", err)
	}
	return words{mode: Review, text: string(text)}, nil
}

// kubectlLine is what somebody would type to have kubectl send the request; empty where there is nothing to type.
func kubectlLine(info *apirequest.RequestInfo) string {
	namespaced, served := generate.Served(info.APIGroup, info.Resource)
	toMany := slices.Contains([]string{"list", "watch", "deletecollection"}, info.Verb)
	toOne := slices.Contains([]string{"get", "update", "patch", "delete"}, info.Verb) || info.Verb == "create" && info.Subresource != ""
	isNamespace := info.APIGroup == "" && info.Resource == "namespaces"
	switch {
	case !info.IsResourceRequest || !served, info.Verb == "" || info.Verb == "proxy":
		return ""
	case toOne == (info.Name == "") && !toMany:
		return ""
	case info.Verb == "watch" && info.Name != "":
		// Who types this means a watch of the collection that selects one name, and not the old URL for one object.
		return ""
	case namespaced && info.Namespace == "" && !toMany, !namespaced && !isNamespace && info.Namespace != "":
		return ""
	}
	resource := info.Resource
	if info.APIGroup != "" {
		resource += "." + info.APIGroup
	}
	parts := []string{info.Verb, resource}
	switch info.Verb {
	case "list":
		parts = []string{"kubectl", "get", resource}
	case "watch":
		parts = []string{"kubectl", "get", resource, "-w"}
	}
	if info.Name != "" && !toMany {
		parts = append(parts, quoted(info.Name))
	}
	if info.Subresource != "" {
		parts = append(parts, "--subresource="+quoted(info.Subresource))
	}
	switch {
	case namespaced && info.Namespace == "":
		parts = append(parts, "-A")
	case namespaced:
		parts = append(parts, "-n", quoted(info.Namespace))
	}
	return strings.Join(parts, " ")
}

// methods are those that a line can begin with. Others exist, but nobody types them.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// urlLine says a request by its method and URL; it is empty where the method is none that somebody types.
func urlLine(call *generate.Call) string {
	if !slices.Contains(methods, call.Method) {
		return ""
	}
	target := url.URL{Path: call.Path, RawQuery: call.Query.Encode()}
	return call.Method + " " + quoted(target.RequestURI())
}

// as says who asks, as the headers of the request do.
func as(who generate.Persona) string {
	if who.Nobody {
		return " --as=system:anonymous"
	}
	line := " --as " + quoted(who.User)
	for _, group := range who.Groups {
		line += " --as-group=" + quoted(group)
	}
	return line
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:-]+$`)

// quoted is a word as a shell needs it.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + word + "'"
}

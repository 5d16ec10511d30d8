package generate

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// Call is a request as it goes over the wire.
type Call struct {
	Method string
	// Path is the path of the URL, and Query what follows the question mark.
	Path        string
	Query       url.Values
	ContentType string
	Who         Persona
}

// Persona is who sends a request, in the headers that impersonate. Nobody sends neither these nor any credentials.
type Persona struct {
	User   string
	Groups []string
	Nobody bool
}

// String tells personas apart.
func (p Persona) String() string {
	if p.Nobody {
		return "nobody"
	}
	return fmt.Sprintf("%q in %q", p.User, p.Groups)
}

// resolver reads a request as kube-apiserver does (k8s.io/apiserver/pkg/server/config.go, NewRequestInfoResolver).
var resolver = request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}

// Info is what the API server reads from the method and the URL.
func (c *Call) Info() (*request.RequestInfo, error) {
	info, err := resolver.NewRequestInfo(&http.Request{Method: c.Method, URL: &url.URL{Path: c.Path, RawQuery: c.Query.Encode()}})
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", c.Method, c.Path, err)
	}
	return info, nil
}

// Watches reports whether the answer does not end by itself.
func (c *Call) Watches() bool {
	info, err := c.Info()
	return err == nil && info.Verb == "watch"
}

// CallFor makes a call that the API server reads as these attributes, if there is one.
func CallFor(a *authorizationv1.SubjectAccessReviewSpec) (*Call, error) {
	var c *Call
	if other := a.NonResourceAttributes; other != nil {
		c = &Call{Method: strings.ToUpper(other.Verb), Path: other.Path}
	} else {
		c = callTo(a.ResourceAttributes)
	}
	info, err := c.Info()
	if err != nil {
		return nil, err
	}
	if other := a.NonResourceAttributes; other != nil {
		if info.IsResourceRequest || info.Path != other.Path || info.Verb != other.Verb {
			return nil, fmt.Errorf("the API server reads %s %s as %+v", c.Method, c.Path, info)
		}
		return c, nil
	}
	r := a.ResourceAttributes
	read := authorizationv1.ResourceAttributes{
		Namespace: info.Namespace, Verb: info.Verb, Group: info.APIGroup, Version: info.APIVersion,
		Resource: info.Resource, Subresource: info.Subresource, Name: info.Name,
	}
	if !info.IsResourceRequest || read != (authorizationv1.ResourceAttributes{
		Namespace: r.Namespace, Verb: r.Verb, Group: r.Group, Version: r.Version, Resource: r.Resource, Subresource: r.Subresource, Name: r.Name,
	}) {
		return nil, fmt.Errorf("the API server reads %s %s as %+v", c.Method, c.Path, read)
	}
	return c, nil
}

// methodOf has the method of each verb for resources; what is missing is no verb of a method.
var methodOf = map[string]string{
	"get": http.MethodGet, "list": http.MethodGet, "watch": http.MethodGet, "create": http.MethodPost, "update": http.MethodPut,
	"patch": http.MethodPatch, "delete": http.MethodDelete, "deletecollection": http.MethodDelete, "proxy": http.MethodGet, "": http.MethodOptions,
}

// With returns the call with another verb that goes to the same URL.
func (c *Call) With(verb string) *Call {
	other := *c
	other.Method, other.ContentType = methodOf[verb], "application/json"
	if verb == "patch" {
		other.ContentType = "application/merge-patch+json"
	}
	return &other
}

func callTo(r *authorizationv1.ResourceAttributes) *Call {
	c := &Call{Method: methodOf[r.Verb], Query: url.Values{}}
	parts := []string{"apis", r.Group, r.Version}
	if r.Group == "" {
		parts = []string{"api", r.Version}
	}
	switch {
	case r.Verb == "proxy":
		parts = append(parts, "proxy")
	case r.Verb == "watch" && r.Name != "":
		parts = append(parts, "watch")
	case r.Verb == "watch":
		c.Query.Set("watch", "true")
	}
	if r.Namespace != "" && !(r.Group == "" && r.Resource == namespaces) {
		parts = append(parts, namespaces, r.Namespace)
	}
	parts = append(parts, r.Resource)
	if r.Name != "" {
		parts = append(parts, r.Name)
	}
	if r.Subresource != "" {
		parts = append(parts, r.Subresource)
	}
	c.Path = "/" + strings.Join(parts, "/")
	switch c.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		// Some personas may do everything.
		c.Query.Set("dryRun", "All")
		c.ContentType = "application/json"
	}
	if c.Method == http.MethodPatch {
		c.ContentType = "application/merge-patch+json"
	}
	return c
}

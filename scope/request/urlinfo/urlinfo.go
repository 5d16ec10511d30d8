// Package urlinfo reads the method and the URL of a request as the API server does, by the
// API server's own code. It is a package of its own because that code takes the type of
// net/http, which nothing else of the engine may know. It sends nothing.
package urlinfo

import (
	"fmt"
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// factory has the prefixes of every API server
// (k8s.io/apiserver/pkg/server/config.go, NewRequestInfoResolver).
var factory = request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

// Read says what the API server takes a request for. The target is a path with or without
// a query, or a whole URL.
func Read(method, target string) (*request.RequestInfo, error) {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL path: %w", target, err)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return factory.NewRequestInfo(&http.Request{Method: method, URL: u})
}

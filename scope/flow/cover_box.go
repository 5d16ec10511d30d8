package flow

import (
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// apiVerbs are all that a request for a resource can have
// (k8s.io/apiserver/pkg/endpoints/request/requestinfo.go), except proxy, which is not
// classified. The verb is empty for HTTP methods that mean nothing to the API, as OPTIONS.
var apiVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", ""}

// httpMethods are what the verbs of a request to another URL are: the HTTP methods of RFC 9110
// and RFC 5789 in lower case. There may be others, which only a star matches.
var httpMethods = []string{"get", "head", "post", "put", "patch", "delete", "options", "connect", "trace"}

// resourceBoxes are the requests that a resource rule matches and that flow control
// classifies: of long-running subresources only watches. Names that nothing can have, such
// as pods/*, are left out.
func resourceBoxes(r *flowcontrolv1.ResourcePolicyRule) []box {
	b := box{
		inVerb:     only(apiVerbs...).and(values(r.Verbs, func(string) bool { return true })),
		inGroup:    values(r.APIGroups, isGroupName),
		inResource: values(r.Resources, isResourceName),
		inPlace:    places(r),
	}
	watched := b
	watched[inVerb] = b[inVerb].and(only("watch"))
	if !b[inResource].except {
		var long, short []string
		for _, name := range b[inResource].listed {
			if isLongRunning(name) {
				long = append(long, name)
			} else {
				short = append(short, name)
			}
		}
		b[inResource], watched[inResource] = only(short...), only(long...)
	} else {
		watched[inResource] = only()
	}
	return slices.DeleteFunc([]box{b, watched}, box.empty)
}

// values is what a list in a rule stands for, without what is not possible.
func values(list []string, possible func(string) bool) tokens {
	if isStar(list) {
		return everything
	}
	return only(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !possible(s) })...)
}

// isStar reports whether a list stands for everything: a star does so only alone.
func isStar(list []string) bool { return len(list) == 1 && list[0] == "*" }

// places are the namespaces of a rule, and the empty one if it has clusterScope.
func places(r *flowcontrolv1.ResourcePolicyRule) tokens {
	named := values(r.Namespaces, isNamespaceName)
	switch {
	case named.except && r.ClusterScope:
		return everything
	case named.except:
		return tokens{listed: []string{""}, except: true}
	case r.ClusterScope:
		return only(append(named.listed, "")...)
	}
	return named
}

func isGroupName(s string) bool { return !strings.ContainsAny(s, "*/") }

func isNamespaceName(s string) bool { return len(validation.IsDNS1123Label(s)) == 0 }

// isResourceName reports whether a resource, or a resource and its subresource, can be
// called so. Nothing has a star in its name, and an empty subresource is not written.
func isResourceName(s string) bool {
	resource, sub, has := strings.Cut(s, "/")
	return resource != "" && (sub != "") == has && !strings.ContainsAny(resource, "*") && !strings.ContainsAny(sub, "*/")
}

func isLongRunning(resource string) bool {
	_, sub, _ := strings.Cut(resource, "/")
	return slices.Contains(longRunning, sub)
}

// urlBoxes are the requests that a rule for URLs matches and that flow control classifies.
// A URL of a rule stands for a path and all paths below a slash; the path that ends with
// this slash stands for these, because what matches it matches everything below it.
func urlBoxes(r *flowcontrolv1.NonResourcePolicyRule) []box {
	var paths []string
	for _, url := range r.NonResourceURLs {
		paths = append(paths, pathsOf(url)...)
	}
	b := box{
		inVerb:  values(r.Verbs, func(s string) bool { return slices.Contains(httpMethods, s) }),
		inGroup: everything, inResource: only(paths...), inPlace: everything,
	}
	return slices.DeleteFunc([]box{b}, box.empty)
}

// pathsOf are the paths that stand for all that a URL of a rule matches.
func pathsOf(url string) []string {
	if url == flowcontrolv1.NonResourceAll {
		return []string{"/"}
	}
	below := strings.TrimSuffix(url, "*")
	if !strings.HasSuffix(below, "/") {
		below += "/"
	}
	return slices.DeleteFunc([]string{url, below}, func(path string) bool { return !isPath(path) })
}

// isPath reports whether a request that is not for a resource can have the path and is
// classified.
func isPath(path string) bool {
	return strings.HasPrefix(path, "/") && !strings.Contains(path, "*") && !isResourcePath(path) && !strings.HasPrefix(path, pprof)
}

const pprof = "/debug/pprof/"

// isResourcePath reports whether the API server takes a path for that of a resource
// (k8s.io/apiserver/pkg/endpoints/request/requestinfo.go).
func isResourcePath(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch parts[0] {
	case "api":
		return len(parts) >= 3
	case "apis":
		return len(parts) >= 4
	}
	return false
}

// urlTaken is what a rule for URLs takes of a box of urlBoxes.
func urlTaken(r *flowcontrolv1.NonResourcePolicyRule, of box) box {
	var paths []string
	for _, path := range of[inResource].listed {
		if slices.ContainsFunc(r.NonResourceURLs, func(url string) bool { return urlCovers(url, path) }) {
			paths = append(paths, path)
		}
	}
	taken := box{inVerb: everything, inGroup: everything, inResource: only(paths...), inPlace: everything}
	if !isStar(r.Verbs) {
		taken[inVerb] = only(r.Verbs...)
	}
	return taken
}

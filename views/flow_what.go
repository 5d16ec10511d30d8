package views

import (
	"net/http"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
)

// alone reports whether a list is the wildcard. It counts only where it is the sole element
// of a list, unlike in the rules of admission (k8s.io/apiserver/pkg/util/flowcontrol/rule.go).
func alone(values []string) bool { return len(values) == 1 && values[0] == "*" }

// what says which requests the rules of one PolicyRulesWithSubjects are for.
func what(r *flowcontrolv1.PolicyRulesWithSubjects) string {
	anyResource := slices.ContainsFunc(r.ResourceRules, takesEveryResource)
	anyURL := slices.ContainsFunc(r.NonResourceRules, takesEveryURL)
	switch {
	case anyResource && anyURL:
		return "every request"
	case anyResource && len(r.NonResourceRules) == 0:
		return "every request for a resource"
	case anyURL && len(r.ResourceRules) == 0:
		return "every request for another URL"
	}
	var parts []string
	if anyResource {
		parts = append(parts, "every request for a resource")
	} else {
		for i := range r.ResourceRules {
			parts = append(parts, whatResources(&r.ResourceRules[i]))
		}
	}
	if anyURL {
		parts = append(parts, "every request for another URL")
	} else {
		for i := range r.NonResourceRules {
			parts = append(parts, whatURLs(&r.NonResourceRules[i]))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return joinParts(parts)
}

func takesEveryResource(r flowcontrolv1.ResourcePolicyRule) bool {
	return alone(r.Verbs) && alone(r.APIGroups) && alone(r.Resources) && alone(r.Namespaces) && r.ClusterScope
}

func takesEveryURL(r flowcontrolv1.NonResourcePolicyRule) bool {
	return alone(r.Verbs) && alone(r.NonResourceURLs)
}

// joinParts joins parts that have commas and an "and" of their own.
func joinParts(parts []string) string {
	if len(parts) > 3 {
		return strings.Join(parts[:2], ", and ") + ", and more"
	}
	return strings.Join(parts, ", and ")
}

func whatResources(r *flowcontrolv1.ResourcePolicyRule) string {
	if alone(r.Verbs) {
		return "every request for " + resources(r) + where(r)
	}
	return "requests to " + list(r.Verbs, "or") + " " + resources(r) + where(r)
}

func resources(r *flowcontrolv1.ResourcePolicyRule) string {
	if !alone(r.Resources) {
		return listSome(r.Resources, 4)
	}
	if alone(r.APIGroups) {
		return "every resource"
	}
	groups := make([]string, 0, len(r.APIGroups))
	for _, g := range r.APIGroups {
		if g == "" {
			g = "the core group"
		}
		groups = append(groups, g)
	}
	return "every resource of " + listSome(groups, 3)
}

// where says which namespaces a rule is for. Requests without a namespace are those for
// resources that are in none, and those for all namespaces at once.
func where(r *flowcontrolv1.ResourcePolicyRule) string {
	switch {
	case alone(r.Namespaces) && r.ClusterScope:
		return ""
	case alone(r.Namespaces):
		return " within a namespace"
	case len(r.Namespaces) > 0 && r.ClusterScope:
		return " in " + listSome(r.Namespaces, 3) + " or without a namespace"
	case len(r.Namespaces) > 0:
		return " in " + listSome(r.Namespaces, 3)
	case r.ClusterScope:
		return " without a namespace"
	}
	return " in no namespace at all"
}

func whatURLs(r *flowcontrolv1.NonResourcePolicyRule) string {
	urls := "every other URL"
	if !alone(r.NonResourceURLs) {
		urls = listSome(r.NonResourceURLs, 4)
	}
	methods := make([]string, len(r.Verbs))
	for i, v := range r.Verbs {
		methods[i] = v
		if slices.Contains(httpMethods, strings.ToUpper(v)) {
			methods[i] = strings.ToUpper(v)
		}
	}
	if alone(r.Verbs) {
		return "every request for " + urls
	}
	return list(methods, "and") + " of " + urls
}

// httpMethods are what the verb of a request to another URL can be, in small letters
// (k8s.io/apiserver/pkg/endpoints/request/requestinfo.go). Any other verb stands as written.
var httpMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

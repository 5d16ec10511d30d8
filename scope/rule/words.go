package rule

import (
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
)

// resourceName writes a request's resource as rules write it: pods, pods/exec.
func resourceName(a admission.Attributes) string {
	if sub := a.GetSubresource(); sub != "" {
		return a.GetResource().Resource + "/" + sub
	}
	return a.GetResource().Resource
}

func operations(r v1.NamedRuleWithOperations) string {
	words := make([]string, len(r.Operations))
	for i, o := range r.Operations {
		words[i] = string(o)
	}
	return strings.Join(words, ", ")
}

// group writes an API group; the core group has no name, which would read as nothing.
func group(name string) string {
	if name == "" {
		return `"" (core)`
	}
	return name
}

func groups(names []string) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = group(n)
	}
	return strings.Join(words, ", ")
}

func scopeOf(r v1.NamedRuleWithOperations) string {
	if r.Scope == nil {
		return string(v1.AllScopes)
	}
	return string(*r.Scope)
}

// scopeOfRequest says what the scope of a rule is compared with. A Namespace is
// cluster-scoped although a request for it carries its name as the namespace
// (predicates/rules/rules.go, scope).
func scopeOfRequest(a admission.Attributes) string {
	gvr := a.GetResource()
	if a.GetNamespace() == "" || gvr.Group == "" && gvr.Version == "v1" && gvr.Resource == "namespaces" {
		return string(v1.ClusterScope)
	}
	return string(v1.NamespacedScope)
}

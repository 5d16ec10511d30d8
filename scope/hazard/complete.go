package hazard

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// all reports whether the objects of a kind that are known are all that there are. A rule
// asks about the kinds that it depends on, and falls silent for no other gap.
func (in Input) all(kind schema.GroupKind) bool {
	return in.Complete && in.discovered(kind.Group) && !slices.Contains(in.Unread, kind)
}

// allBindings reports whether all bindings of a kind of admission policy are known.
func (in Input) allBindings(kind string) bool {
	return in.all(schema.GroupKind{Group: v1.GroupName, Kind: kind + "Binding"})
}

// allPolicies reports whether all admission policies of a kind are known.
func (in Input) allPolicies(kind string) bool {
	return in.all(schema.GroupKind{Group: v1.GroupName, Kind: kind})
}

// discovered reports whether the API server said which resources a group has.
func (in Input) discovered(group string) bool {
	return !slices.ContainsFunc(in.Undiscovered, func(gv schema.GroupVersion) bool { return gv.Group == group })
}

// allResources reports whether the resources that are known are all that there are.
func (w *world) allResources() bool { return w.in.Complete && len(w.in.Undiscovered) == 0 }

// mayMeanOthers reports whether a rule may match resources that are not known.
func (w *world) mayMeanOthers(r v1.NamedRuleWithOperations) bool {
	return slices.ContainsFunc(r.APIGroups, func(g string) bool {
		switch {
		case !w.in.Complete:
			return g == "*" || !w.groups.Has(g) && isCustom(g)
		case g == "*" && !w.allResources() || !w.in.discovered(g):
			return true
		}
		return w.unknownVersions(r, g)
	})
}

// definitions are the objects that say which versions of custom resources there are.
var definitions = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}

// unknownVersions reports whether a rule may match resources by a version that is not served:
// a request for another version is then equivalent. Discovery does not list such versions,
// the definitions of custom resources do.
func (w *world) unknownVersions(r v1.NamedRuleWithOperations, group string) bool {
	custom := group == "*" || isCustom(group) && !slices.Contains(builtInGroups(), group)
	return custom && !w.in.all(definitions) && !slices.Contains(r.APIVersions, "*")
}

// isCustom reports whether an API group may be one of custom resources, which has a dot in its
// name (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation).
func isCustom(group string) bool { return strings.Contains(group, ".") }

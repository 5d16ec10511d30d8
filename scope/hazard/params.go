package hazard

import (
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/resource"
)

var paramKindUnknown = Rule{
	Name:    "param-kind-unknown",
	Summary: "The API server does not serve the kind of a policy's parameters.",
	Why:     "The policy fails before its bindings are looked at. Under failurePolicy Fail every request that its match constraints match is refused.",
	Fix:     "Correct spec.paramKind, or create the CustomResourceDefinition.",
	find: func(r *run) {
		r.each(func(v *view) {
			if v.paramKind == nil || r.Facts.Resources == nil {
				return
			}
			gvk := kindOf(v.paramKind)
			if res, known := r.Facts.Resources.ForKind(gvk); known && res.Served {
				return
			}
			if !r.discovered(gvk.Group) || !r.Complete && !r.world.groups.Has(gvk.Group) {
				return
			}
			severity, does := Warning, "skipped"
			if v.fails() {
				severity, does = Error, "refused"
			}
			r.add(v, false, Finding{Severity: severity, Field: "spec.paramKind",
				Message: fmt.Sprintf("There is no kind %s %s, so what the policy matches is %s.", v.paramKind.APIVersion, v.paramKind.Kind, does)})
		})
	},
}

func kindOf(k *v1.ParamKind) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(k.APIVersion, k.Kind)
}

// paramResource is the resource of a policy's parameters, if the server has it and the
// policy has a binding.
func (r *run) paramResource(v *view) (resource.Resource, bool) {
	if v.paramKind == nil || v.BindingSource == nil || r.Facts.Resources == nil {
		return resource.Resource{}, false
	}
	res, known := r.Facts.Resources.ForKind(kindOf(v.paramKind))
	return res, known && res.Served
}

var paramsMissing = Rule{
	Name:    "params-missing",
	Summary: "A binding names parameters that do not exist.",
	Why:     "With parameterNotFoundAction Allow the binding then does nothing. With Deny it fails, and the failurePolicy decides: Fail refuses every request that is matched, Ignore lets it pass.",
	Fix:     "Create the parameter, or correct spec.paramRef.",
	find: func(r *run) {
		r.each(func(v *view) {
			res, ok := r.paramResource(v)
			if !ok || v.paramRef == nil || r.Facts.Params == nil || misplaced(res, v.paramRef) || !r.paramsAbsent(res, v.paramRef) {
				return
			}
			f := Finding{Severity: Warning, Field: "spec.paramRef", Message: "No such parameter exists, so the binding does nothing."}
			if a := v.paramRef.ParameterNotFoundAction; a != nil && *a == v1.DenyAction {
				f.Message = "No such parameter exists, and failurePolicy Ignore lets what is matched pass in spite of parameterNotFoundAction Deny."
				if v.fails() {
					f.Severity, f.Message = Error, "No such parameter exists, so every request that is matched is refused."
				}
			}
			r.add(v, true, f)
		})
	},
}

// misplaced reports whether a reference gives a namespace to a kind that is in none.
func misplaced(res resource.Resource, ref *v1.ParamRef) bool {
	return !res.Namespaced && ref.Namespace != ""
}

// paramsAbsent reports whether it is known that a reference finds nothing, in whichever
// namespace a request is.
func (r *run) paramsAbsent(res resource.Resource, ref *v1.ParamRef) bool {
	if r.Complete && !r.all(res.Kind.GroupKind()) {
		return false
	}
	if ref.Selector != nil {
		s, err := metav1.LabelSelectorAsSelector(ref.Selector)
		if err != nil {
			return false
		}
		return r.noParams(res, ref.Namespace, s)
	}
	where := []string{ref.Namespace}
	if res.Namespaced && ref.Namespace == "" {
		if !r.allNamespaces() {
			return false
		}
		where = nil
		for _, ns := range r.Namespaces {
			where = append(where, ns.Name)
		}
	}
	for _, namespace := range where {
		if _, presence, _ := r.Facts.Params.Param(res.Kind, namespace, ref.Name); presence != scope.Absent {
			return false
		}
	}
	// Manifests without a single parameter of the kind may leave them all to somebody else.
	return r.Complete || !r.noParams(res, "", labels.Everything())
}

func (r *run) noParams(res resource.Resource, namespace string, s labels.Selector) bool {
	found, known, _ := r.Facts.Params.ListParams(res.Kind, namespace, s)
	if !known || len(found) > 0 {
		return false
	}
	if r.Complete || s.Empty() {
		return true
	}
	all, known, _ := r.Facts.Params.ListParams(res.Kind, "", labels.Everything())
	return known && len(all) > 0
}

var paramsNull = Rule{
	Name:    "params-null",
	Summary: "A policy reads parameters and its binding names none.",
	Why:     "Without a paramRef the policy is evaluated once with params being null, and reading a field of null is an error.",
	Fix:     "Name the parameters in spec.paramRef of the binding, or ask params == null first.",
	find: func(r *run) {
		r.each(func(v *view) {
			if _, ok := r.paramResource(v); !ok || v.paramRef != nil {
				return
			}
			for _, e := range v.expressions() {
				tree := r.world.parse(e.text)
				if tree == nil || !readsFieldOf(paths(tree), "params") || comparesWithNull(tree, "params") {
					continue
				}
				severity := Warning
				if v.fails() {
					severity = Error
				}
				r.add(v, true, Finding{Severity: severity, Field: "spec", Message: fmt.Sprintf("%s of the policy reads params, which is null under this binding.", e.field)})
				return
			}
		})
	},
}

func readsFieldOf(all [][]string, variable string) bool {
	return slices.ContainsFunc(all, func(path []string) bool { return len(path) > 1 && path[0] == variable })
}

var paramsOutOfScope = Rule{
	Name:    "params-out-of-scope",
	Summary: "A paramRef does not say where parameters are, or says it of parameters that are nowhere.",
	Why:     "A namespaced parameter without a namespace is looked for in the namespace of the request; a request for an object outside of namespaces then fails. A namespace for a cluster-scoped parameter always fails.",
	Fix:     "Set spec.paramRef.namespace for a namespaced kind, and leave it out for a cluster-scoped one.",
	find: func(r *run) {
		r.each(func(v *view) {
			res, ok := r.paramResource(v)
			if !ok || v.paramRef == nil {
				return
			}
			severity, does := Warning, "skipped"
			if v.fails() {
				severity, does = Error, "refused"
			}
			switch {
			case misplaced(res, v.paramRef):
				r.add(v, true, Finding{Severity: severity, Field: "spec.paramRef.namespace", Message: fmt.Sprintf("%s is cluster-scoped, so every request that is matched is %s.", res.Kind.Kind, does)})
			case res.Namespaced && v.paramRef.Namespace == "":
				i := slices.IndexFunc(v.reach(), func(at *reached) bool { return !at.Namespaced && at.GroupVersionResource.Resource != "namespaces" })
				if i >= 0 {
					r.add(v, true, Finding{Severity: Warning, Field: "spec.paramRef", Message: fmt.Sprintf("A request for %s is in no namespace, so it is %s: the parameter is looked for in the namespace of the request.", v.reach()[i].name(), does)})
				}
			}
		})
	},
}

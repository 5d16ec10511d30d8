package hazard

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
)

var policyWithoutBinding = Rule{
	Name:    "policy-without-binding",
	Summary: "No binding names the policy.",
	Why:     "An admission policy without a binding is never evaluated, whatever its match constraints say. Among manifests this is said only where most policies have their bindings beside them.",
	Fix:     "Create a binding that names it, or remove the policy.",
	find: func(r *run) {
		r.each(func(v *view) {
			if v.isWebhook() || v.Source == nil || v.BindingSource != nil || v.own == nil {
				return
			}
			if r.allBindings(v.Kind) || !r.Complete && r.bindsMost(v.Kind) {
				r.add(v, false, Finding{Severity: Warning, Field: "metadata.name", Message: "No binding names this policy, so it is never evaluated."})
			}
		})
	},
}

// bindsMost reports whether most policies of a kind have a binding. A library of policies
// leaves it to its users to bind them, and has at most an example.
func (r *run) bindsMost(kind string) bool {
	bound, unbound := sets.New[string](), 0
	for _, v := range r.views {
		switch {
		case v.Kind != kind || v.Source == nil:
		case v.BindingSource != nil:
			bound.Insert(v.Name)
		default:
			unbound++
		}
	}
	return bound.Len() >= unbound
}

var bindingWithoutPolicy = Rule{
	Name:    "binding-without-policy",
	Summary: "A binding names a policy that does not exist.",
	Why:     "The API server skips such a binding without a word. A misspelt name looks the same.",
	Fix:     "Correct spec.policyName, or create the policy.",
	find: func(r *run) {
		r.each(func(v *view) {
			if v.Source != nil || v.BindingSource == nil {
				return
			}
			if r.allPolicies(v.Kind) || !r.Complete && slices.ContainsFunc(r.views, func(o *view) bool { return o.Kind == v.Kind && o.Source != nil }) {
				message := fmt.Sprintf("There is no %s %s.", v.Kind, v.Name)
				if v.Name == "" {
					message = "The binding names no policy."
				}
				r.add(v, true, Finding{Severity: Warning, Field: "spec.policyName", Message: message})
			}
		})
	},
}

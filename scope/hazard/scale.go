package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

var mutatingCustomScale = Rule{
	Name:    "mutating-custom-scale",
	Summary: "A MutatingAdmissionPolicy under failurePolicy Fail matches the scale of custom resources.",
	Why:     "The API server cannot convert the Scale of a custom resource back after a mutation, also after one that changes nothing. The error refuses every kubectl scale, and every step of an autoscaler, of custom resources.",
	Fix:     "Take custom resources out of the rules: name the API groups of built-in workloads, or exclude the scale of yours.",
	find: func(r *run) {
		r.each(func(v *view) {
			if v.mutating == nil || len(v.mutating.Mutations) == 0 || !v.fails() || !v.inEffect() || v.selects().Empty() {
				return
			}
			for _, at := range v.reach() {
				if at.Subresource != "scale" || at.operation != admission.Update || isBuiltIn(at) {
					continue
				}
				severity, where := Error, ""
				if v.mutationsMayPass() {
					severity, where = Warning, " unless the test in its JSON patch fails"
				}
				if len(v.conditions.Conditions) > 0 {
					switch r.ask(v.conditions, v, at, probe{object: kindOnly}).Outcome {
					case scope.NoMatch, scope.Failed:
						continue
					case scope.Open:
						severity, where = Warning, " where the match conditions are true"+where
					}
				}
				r.add(v, false, Finding{Severity: severity, Field: v.own.rules.RulesField,
					Message: fmt.Sprintf("Scaling %s is refused%s: no mutation can be applied to the Scale of a custom resource.", at.name(), where)})
				return
			}
		})
	},
}

// mutationsMayPass reports whether the mutations can leave an object as it came: a JSON patch
// whose test fails is dropped before anything is converted. Otherwise the patched object is
// unstructured, and the converter of custom resources takes a Scale only as a typed object
// (k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/converter.go, ConvertToVersion).
func (v *view) mutationsMayPass() bool {
	return !slices.ContainsFunc(v.mutating.Mutations, func(m v1.Mutation) bool {
		return m.JSONPatch == nil || !strings.Contains(m.JSONPatch.Expression, "test")
	})
}

// isBuiltIn reports whether a resource is one of the API server's own.
func isBuiltIn(at *reached) bool {
	return slices.ContainsFunc(builtInGroups(), func(g string) bool { return g == at.Group })
}

package hazard

import (
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/resource"
)

var evaluatedForNothing = Rule{
	Name:    "evaluated-for-nothing",
	Summary: "Every validation of a policy is true for a whole resource that its rules match.",
	Why:     "The rules suggest that the resource is checked, and nothing about it is. Every such request is evaluated for nothing; leaving the resource out changes no verdict.",
	Fix:     "Leave the resource or the operation out of the rules, or add the validation that is missing.",
	find: func(r *run) {
		r.each(func(v *view) {
			if v.validating == nil || !v.inEffect() || v.reachesUnknown() || len(v.validating.AuditAnnotations) > 0 {
				return
			}
			all := r.validations(v)
			if len(all) == 0 || slices.Contains(all, nil) {
				return
			}
			var nothing []string
			for _, at := range v.reach() {
				if !slices.ContainsFunc(all, func(c *condition.Conditions) bool {
					return r.ask(c, v, at, probe{object: kindOnly}).Outcome != scope.Match
				}) {
					nothing = append(nothing, fmt.Sprintf("%s %s", at.operation, at.name()))
				}
			}
			if len(nothing) > 0 && len(nothing) < len(v.reach()) {
				r.add(v, false, Finding{Severity: Info, Field: v.own.rules.RulesField, Message: fmt.Sprintf("All validations are true for %s, whatever the object is.", some(nothing))})
			}
		})
	},
}

// validations are the validations of a policy as conditions. One that cannot be evaluated
// alone is nil: it does not compile without the policy's variables or parameters, or reads
// the namespace, which match conditions never see.
func (r *run) validations(v *view) []*condition.Conditions {
	if all, ok := r.checks[v]; ok || v.validating == nil {
		return all
	}
	all := make([]*condition.Conditions, len(v.validating.Validations))
	for i, x := range v.validating.Validations {
		c := r.compiler.Compile([]v1.MatchCondition{{Name: "validation", Expression: x.Expression}}, "", false)
		if c.Conditions[0].Err != nil || readsFieldOf(r.world.pathsOf(c), "namespaceObject") {
			continue
		}
		c.Conditions[0].Field = fmt.Sprintf("spec.validations[%d].expression", i)
		c.OnError = scope.Skipped
		if v.fails() {
			c.OnError = scope.Rejected
		}
		all[i] = c
	}
	r.checks[v] = all
	return all
}

// builtInGroups are the API groups of an API server without any add-on.
func builtInGroups() []string {
	groups := sets.New[string]()
	for _, r := range resource.Builtin() {
		groups.Insert(r.Group)
	}
	return sets.List(groups)
}

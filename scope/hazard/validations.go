package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/resource"
)

var evaluatedForNothing = Rule{
	Name:    "evaluated-for-nothing",
	Summary: "Every validation of a policy is true for an operation or a resource that its rules list.",
	Why:     "The rules suggest that it is checked, and nothing about it is. Every such request is evaluated for nothing; leaving it out of the rules changes no verdict.",
	Fix:     "Leave the resource or the operation out of the rules, or add the validation that is missing.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.onlyValidates(v) {
				return
			}
			passed := r.validatedForNothing(v)
			found := slices.DeleteFunc(r.narrowings(v, passed.or(r.keptOut(v))), func(n narrowing) bool {
				return !slices.ContainsFunc(n.saved, passed.sort)
			})
			for _, n := range found {
				r.add(v, false, Finding{Severity: Info, Field: n.field, Objects: r.concerned(v, n.saved),
					Message: fmt.Sprintf("All validations are true for every %s, whatever the object is.", n.what),
					Fix:     strings.TrimSuffix(n.fix, ".") + ", or add the validation that is missing."})
			}
			if len(found) == 0 && !v.reachesUnknown() {
				r.partlyForNothing(v, passed)
			}
		})
	},
}

// onlyValidates reports whether nothing comes of evaluating a policy but what its validations
// say: no parameters are looked for, nothing is annotated, and its match conditions can be
// asked.
func (r *run) onlyValidates(v *view) bool {
	p := v.validating
	return p != nil && v.inEffect() && v.paramKind == nil && len(p.AuditAnnotations) == 0 && len(p.Validations) > 0 &&
		(len(v.conditions.Conditions) == 0 || r.conditionsAnswer(v))
}

// partlyForNothing reports what cannot simply be taken out of the rules: a resource that a
// wildcard stands for, one operation on one resource of several.
func (r *run) partlyForNothing(v *view, passed idle) {
	var nothing []string
	for _, at := range v.matches() {
		if passed.sort(at) {
			nothing = append(nothing, fmt.Sprintf("%s %s", at.operation, at.name()))
		}
	}
	if len(nothing) > 0 && len(nothing) < len(v.matches()) {
		r.add(v, false, Finding{Severity: Info, Field: v.own.rules.RulesField,
			Message: fmt.Sprintf("All validations are true for %s, whatever the object is.", some(nothing))})
	}
}

// validatedForNothing is what the match conditions let pass and all validations are true for.
// Conditions that could fail would refuse what is taken out of the rules now.
func (r *run) validatedForNothing(v *view) idle {
	passes := func(at *reached, p probe) bool {
		mayFail := func(x v1.Validation) bool { return !r.certainlyTrue(v, at, p, x.Expression) }
		return !slices.ContainsFunc(v.validating.Validations, mayFail) && r.conditionsTrue(v, at, p)
	}
	return idle{
		sort:      func(at *reached) bool { return passes(at, typed) },
		operation: func(o admission.Operation) bool { return passes(r.anywhere(o), anything) },
	}
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

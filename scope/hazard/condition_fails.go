package hazard

import (
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
)

var nullObject = Rule{
	Name:    "null-object",
	Summary: "An expression reads a field of an object that is null.",
	Why:     "object is null in a DELETE, oldObject in a CREATE and in a CONNECT. Under failurePolicy Fail the error refuses all such requests; under Ignore it lets them pass.",
	Fix:     "Ask first: object == null || ..., or request.operation != 'DELETE' || ...; or take the operation out of the rules.",
	find: func(r *run) {
		r.each(func(v *view) { r.failingSorts(v, false) })
	},
}

var absentRequestField = Rule{
	Name:    "absent-request-field",
	Summary: "An expression reads a field that requests of the policy's resources do not have.",
	Why:     "request.namespace is absent for objects outside of namespaces, request.subResource for requests to no subresource, and the options of a CONNECT have no metadata. Reading what is absent is an error.",
	Fix:     "Ask whether it is there: has(request.namespace) && ...; or leave the resources out of the rules.",
	find: func(r *run) {
		r.each(func(v *view) { r.failingSorts(v, true) })
	},
}

// failingSorts reports the first sort of request for which the match conditions, or a
// validation, fail in every case: because of the objects that are null, or because of what is
// absent beside them.
func (r *run) failingSorts(v *view, beside bool) {
	if !v.inEffect() {
		return
	}
	for _, c := range r.evaluated(v) {
		said := map[string]bool{}
		for _, at := range v.sample() {
			j := r.ask(c, v, at, probe{})
			if j.Outcome != scope.Failed || r.ask(c, v, at, probe{objectsThere: true}).Outcome == scope.Failed != beside {
				continue
			}
			if field, message := j.failing(); field != "" && !said[field] && r.comesTo(c, v, at, probe{}) {
				said[field] = true
				r.add(v, false, Finding{Severity: severityOf(c), Field: field,
					Message: fmt.Sprintf("It fails for every %s of %s (%s), so %s.", at.operation, at.name(), message, consequence(c))})
			}
		}
	}
}

var conditionsOverBudget = Rule{
	Name:    "conditions-over-budget",
	Summary: "Evaluating the match conditions costs more than the API server allows.",
	Why:     "A spent budget fails all conditions together, also where one of them is false. Under failurePolicy Fail the requests are refused; under Ignore they pass.",
	Fix:     "Write cheaper conditions: fewer nested loops and searches in texts, and what rules and selectors can say there.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !v.inEffect() || !v.hasConditions() {
				return
			}
			if at, err := r.overBudget(v); at != nil {
				r.add(v, false, Finding{Severity: severityOf(v.conditions), Field: v.field("matchConditions"),
					Message: fmt.Sprintf("For %s %s they fail together: %s. So %s.", at.operation, at.name(), err, consequence(v.conditions))})
			}
		})
	},
}

// overBudget returns the first sort of request for which the match conditions fail together.
// Nothing else is to be said of such conditions.
func (r *run) overBudget(v *view) (*reached, error) {
	for _, at := range v.sample() {
		if j := r.ask(v.conditions, v, at, probe{}); j.Outcome == scope.Failed {
			if field, _ := j.failing(); field == "" {
				return at, j.Err
			}
			return nil, nil
		}
	}
	return nil, nil
}

// conditionsAnswer reports whether the match conditions of a policy can be asked about requests.
func (r *run) conditionsAnswer(v *view) bool {
	if !v.inEffect() || !v.hasConditions() || readsFieldOf(r.world.pathsOf(v.conditions), "namespaceObject") {
		return false
	}
	at, _ := r.overBudget(v)
	return at == nil
}

// comesTo reports whether requests of a sort come as far as a validation. Match conditions
// are the first to be evaluated, and what they keep out is not validated.
func (r *run) comesTo(c *condition.Conditions, v *view, at *reached, p probe) bool {
	return c == v.conditions || !v.hasConditions() || r.ask(v.conditions, v, at, p).Outcome != scope.NoMatch
}

// evaluated are the match conditions, and the validations that can be evaluated alone and
// whose errors refuse requests: those under a binding that only audits do not.
func (r *run) evaluated(v *view) []*condition.Conditions {
	var all []*condition.Conditions
	if r.conditionsAnswer(v) {
		all = append(all, v.conditions)
	}
	if len(v.actions) > 0 && !slices.Contains(v.actions, v1.Deny) {
		return all
	}
	return append(all, slices.DeleteFunc(slices.Clone(r.validations(v)), func(c *condition.Conditions) bool { return c == nil })...)
}

// severityOf is how grave it is that conditions fail.
func severityOf(c *condition.Conditions) Severity {
	if c.OnError == scope.Rejected {
		return Error
	}
	return Warning
}

// consequence is what becomes of a request for which conditions fail.
func consequence(c *condition.Conditions) string {
	if c.OnError == scope.Rejected {
		return "the request is refused"
	}
	return "it passes without being looked at"
}

package hazard

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// What is taken out of a policy must leave every verdict as it is. An expression counts as
// certain for a sort of request only if it comes out the same whatever is open, and if
// evaluating it cannot cost more than the API server allows.

// typed is what is given where certainty is asked for: the operation, the resource, the kind
// and which objects are null.
var typed = probe{object: kindOnly}

// anything is the same for all resources at once, known and unknown.
var anything = probe{object: kindOnly, anyResource: true}

// alone is an expression as a condition of its own; nil if it does not compile so, or reads
// what match conditions and validations see differently.
func (r *run) alone(expression string) *condition.Conditions {
	c, known := r.single[expression]
	if !known {
		c = r.compiler.Compile([]v1.MatchCondition{{Name: "alone", Expression: expression}}, "", false)
		if tree := r.world.parse(expression); c.Conditions[0].Err != nil || tree == nil || reads(tree, "namespaceObject") {
			c = nil
		}
		r.single[expression] = c
	}
	return c
}

// says is what an expression comes to for a sort of request, whatever is open.
func (r *run) says(v *view, at *reached, p probe, expression string) scope.StepOutcome {
	c := r.alone(expression)
	if c == nil {
		return scope.Open
	}
	return r.ask(c, v, at, p).Outcome
}

// certainlyTrue reports whether an expression is true for every request of a sort.
func (r *run) certainlyTrue(v *view, at *reached, p probe, expression string) bool {
	return sameKind(at) && r.says(v, at, p, expression) == scope.Match && r.affordable(v, at, p, expression)
}

// conditionsFalse reports whether the match conditions keep out every request of a sort. One
// that is false decides, unless evaluating all of them is too expensive.
func (r *run) conditionsFalse(v *view, at *reached, p probe) bool {
	if !v.hasConditions() || !sameKind(at) {
		return false
	}
	isFalse := func(c condition.Condition) bool { return r.says(v, at, p, c.Expression) == scope.NoMatch }
	return slices.ContainsFunc(v.conditions.Conditions, isFalse) && r.conditionsAffordable(v, at, p)
}

// conditionsTrue reports whether the match conditions let every request of a sort pass.
func (r *run) conditionsTrue(v *view, at *reached, p probe) bool {
	return v.conditions == nil || !slices.ContainsFunc(v.conditions.Conditions, func(c condition.Condition) bool {
		return !r.certainlyTrue(v, at, p, c.Expression)
	})
}

func (r *run) conditionsAffordable(v *view, at *reached, p probe) bool {
	return !slices.ContainsFunc(v.conditions.Conditions, func(c condition.Condition) bool {
		return !r.affordable(v, at, p, c.Expression)
	})
}

// sameKind reports whether a policy sees the object as it comes. Where it does not, the API
// server converts it first, and that may fail.
func sameKind(at *reached) bool { return at.matched.Kind == at.Kind }

// anywhere is the sort of request of which nothing is known but the operation.
func (r *run) anywhere(o admission.Operation) *reached {
	at, known := r.operations[o]
	if !known {
		at = &reached{sort: &sort{Resource: resource.Resource{}, operation: o, world: r.world}}
		r.operations[o] = at
	}
	return at
}

// matches is every sort of request that the policy's own rules match, whatever its binding
// does.
func (v *view) matches() []*reached {
	if v.bound == nil {
		return v.reach()
	}
	if v.owned == nil {
		v.owned = []*reached{}
		for _, s := range v.world.all {
			if matched, ok := s.matchedBy(v.own.rules, v.world.facts, v.Phase); ok && !v.exempt(s) {
				v.owned = append(v.owned, &reached{s, matched})
			}
		}
	}
	return v.owned
}

package hazard

import (
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/admission"
)

var matchedForNothing = Rule{
	Name:    "matched-for-nothing",
	Summary: "The match conditions are false for an operation or a resource that the rules list.",
	Why:     "Every such request has its conditions evaluated, and then nothing comes of it. Whoever reads the rules believes that it is looked at.",
	Fix:     "Take the operation or the resource out of the rules; no verdict changes.",
	byHand:  true,
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.conditionsDecideAlone(v) {
				return
			}
			for _, n := range r.narrowings(v, r.keptOut(v)) {
				r.add(v, false, Finding{Severity: Info, Field: n.field, Objects: r.concerned(v, n.saved), Fix: n.fix,
					Message: fmt.Sprintf("The match conditions are false for every %s, whatever else it is.", n.what)})
			}
		})
	},
}

// conditionsDecideAlone reports whether the match conditions of a policy can be asked, and
// nothing that comes before them can fail: parameters are looked for first.
func (r *run) conditionsDecideAlone(v *view) bool { return v.paramKind == nil && r.conditionsAnswer(v) }

// keptOut is what the match conditions keep out.
func (r *run) keptOut(v *view) idle {
	return idle{
		sort:      func(at *reached) bool { return r.conditionsFalse(v, at, typed) },
		operation: func(o admission.Operation) bool { return r.conditionsFalse(v, r.anywhere(o), anything) },
	}
}

var conditionAlwaysTrue = Rule{
	Name:    "condition-always-true",
	Summary: "A match condition is true for every request that the rules match.",
	Why:     "It keeps nothing out and is evaluated every time. Often it says once more what the rules say, and whoever changes the one forgets the other.",
	Fix:     "Delete the condition; no verdict changes.",
	byHand:  true,
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.conditionsAnswer(v) || len(v.matches()) == 0 {
				return
			}
			for _, c := range v.conditions.Conditions {
				if !r.trueForAll(v, c.Expression) {
					continue
				}
				message := "It is true for every request that the rules match, whatever else it is."
				if r.trueAnywhere(v, allOperations, c.Expression) {
					message = "It is true for every request that there can be."
				}
				r.add(v, false, Finding{Severity: Info, Field: c.Field, Message: message})
			}
		})
	},
}

var allOperations = []admission.Operation{admission.Create, admission.Update, admission.Delete, admission.Connect}

// trueForAll reports whether an expression is true for all that the rules of a policy match,
// also for resources that are not known.
func (r *run) trueForAll(v *view, expression string) bool {
	for _, one := range v.own.rules.Rules {
		if r.world.mayMeanOthers(one) && !r.trueAnywhere(v, operationsOf(one), expression) {
			return false
		}
	}
	return !slices.ContainsFunc(v.matches(), func(at *reached) bool { return !r.certainlyTrue(v, at, typed, expression) })
}

// trueAnywhere reports whether an expression is true for some operations, whatever the
// resource is.
func (r *run) trueAnywhere(v *view, operations []admission.Operation, expression string) bool {
	return !slices.ContainsFunc(operations, func(o admission.Operation) bool {
		return !r.certainlyTrue(v, r.anywhere(o), anything, expression)
	})
}

package hazard

import (
	"fmt"
	"slices"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

var missingField = Rule{
	Name:    "missing-field",
	Summary: "A match condition reads a label or another optional field of metadata without asking whether it is there.",
	Why:     "Reading an absent field is an error. Under failurePolicy Fail every object without it is refused; under Ignore leaving it out is the way past the policy.",
	Fix:     "Ask first, or use an optional: object.metadata.?labels['team'].orValue('') == 'web'.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !r.conditionsAnswer(v) {
				return
			}
			selects := v.selects().Object
			if selects.Empty() || selects.Err() != nil {
				return
			}
			for _, at := range v.sample() {
				if at.operation != admission.Create && at.operation != admission.Update || !at.carriesItself() {
					continue
				}
				j := r.ask(v.conditions, v, at, probe{object: bareObject})
				if j.Outcome != scope.Failed || r.ask(v.conditions, v, at, probe{}).Outcome == scope.Failed {
					continue
				}
				field, message := j.failing()
				if field == "" {
					continue
				}
				r.add(v, false, Finding{Severity: severityOf(v.conditions), Field: field,
					Message: fmt.Sprintf("It fails for %s without %s (%s), so %s.", at.name(), lacks(selects), message, consequence(v.conditions))})
				return
			}
		})
	},
}

// lacks says what a bare object does not have.
func lacks(selects selector.Extent) string {
	if set, _ := selects.Example(); len(set) > 0 {
		return "annotations and other labels than the selector asks for"
	}
	return "labels and annotations"
}

var namelessRequest = Rule{
	Name:    "nameless-request",
	Summary: "A condition reads the name of a request that comes without one.",
	Why:     "In the mutating half of admission an object with generateName has no name yet, as the Pods of every controller; and the deletion of a collection asks about each object without its name. Reading the name is then an error.",
	Fix:     "Ask first: has(request.name) && ..., or has(object.metadata.name) && ...; in a DELETE read oldObject.metadata.name.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !v.inEffect() {
				return
			}
			for _, c := range r.evaluated(v) {
				for _, at := range v.sample() {
					p, when := nameless(v, at)
					if when == "" {
						continue
					}
					j := r.ask(c, v, at, p)
					if j.Outcome != scope.Failed || r.ask(c, v, at, p.named()).Outcome == scope.Failed || !r.comesTo(c, v, at, p) {
						continue
					}
					field, message := j.failing()
					if field == "" {
						continue
					}
					r.add(v, false, Finding{Severity: severityOf(c), Field: field,
						Message: fmt.Sprintf("It fails %s (%s), so %s.", when, message, consequence(c))})
					break
				}
			}
		})
	},
}

// generated are the resources that controllers of Kubernetes create with generateName.
var generated = []string{"pods", "endpointslices"}

// nameless is the request without a name of a sort, if there commonly are any, with the
// words for when that is.
func nameless(v *view, at *reached) (p probe, when string) {
	switch {
	case at.operation == admission.Create && at.Subresource == "" && !v.Phase.Mutated() && slices.Contains(generated, at.GroupVersionResource.Resource):
		return probe{nameless: true, object: generatedName},
			fmt.Sprintf("for %s with a generated name", at.name())
	case at.operation == admission.Delete && at.Subresource == "" && (len(at.Verbs) == 0 || slices.Contains(at.Verbs, "deletecollection")):
		return probe{nameless: true}, fmt.Sprintf("when a collection of %s is deleted", at.name())
	}
	return probe{}, ""
}

// named is the same probe with a name.
func (p probe) named() probe {
	if p.object == generatedName {
		return probe{object: namedObject}
	}
	return probe{object: p.object}
}

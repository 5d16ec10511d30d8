package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/rule"
)

var namesMissCollections = Rule{
	Name:    "names-miss-collections",
	Summary: "A rule for DELETE goes by resourceNames.",
	Why:     "When a collection is deleted, admission is asked about each object without its name. A rule with names never matches that, so what it protects can be deleted, and what it excludes is not excluded.",
	Fix:     "Leave resourceNames out and compare oldObject.metadata.name in a match condition or in the validation.",
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			r.namedDeletes(v, p, p.rules.Rules, p.rules.RulesField, Warning, "Deleting a collection passes this rule by: the request has no name.")
			r.namedDeletes(v, p, p.rules.Exclude, p.rules.ExcludeField, Info, "Deleting a collection is not excluded by this rule: the request has no name.")
		})
	},
}

func (r *run) namedDeletes(v *view, p *part, list []v1.NamedRuleWithOperations, field string, severity Severity, message string) {
	for i, one := range list {
		if len(one.ResourceNames) == 0 || slices.Contains(one.ResourceNames, "") {
			continue
		}
		for _, s := range r.matchedSorts(v, only(p.rules, one)) {
			if s.operation == "DELETE" && (len(s.Verbs) == 0 || slices.Contains(s.Verbs, "deletecollection")) {
				r.add(v, p.inBinding, Finding{Severity: severity, Field: fmt.Sprintf("%s[%d].resourceNames", field, i), Message: message})
				break
			}
		}
	}
}

var exactMissesVersions = Rule{
	Name:    "exact-misses-versions",
	Summary: "Under matchPolicy Exact a resource can be written in a version that the rules do not name.",
	Why:     "The same object can be written in every version that is served. Exact looks at the version of the request alone, so that writing it in another version passes the policy by.",
	Fix:     "Use matchPolicy Equivalent, which is the default, or name all versions that are served.",
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			if p.rules.MatchPolicy != nil && *p.rules.MatchPolicy == v1.Equivalent {
				return
			}
			for i, one := range p.rules.Rules {
				if missed := r.missedVersions(v, p, one); len(missed) > 0 {
					r.add(v, p.inBinding, Finding{Severity: Warning, Field: fmt.Sprintf("%s[%d].apiVersions", p.rules.RulesField, i),
						Message: fmt.Sprintf("Requests in these versions are not matched: %s.", strings.Join(missed, ", "))})
				}
			}
		})
	},
}

// missedVersions lists what a rule would match under Equivalent and no rule of its list
// matches as it is.
func (r *run) missedVersions(v *view, p *part, one v1.NamedRuleWithOperations) []string {
	equivalent := v1.Equivalent
	loose := only(p.rules, one)
	loose.MatchPolicy = &equivalent
	exact := only(p.rules, p.rules.Rules...)
	var missed []string
	for _, s := range r.matchedSorts(v, loose) {
		if _, ok := s.matchedBy(exact, r.Facts, v.Phase); ok {
			continue
		}
		if name := s.GroupVersion().String() + " " + s.GroupVersionResource.Resource; !slices.Contains(missed, name) {
			missed = append(missed, name)
		}
	}
	return missed
}

var redundantRule = Rule{
	Name:    "redundant-rule",
	Summary: "A rule matches nothing that other rules of the same list do not match.",
	Why:     "It can be changed or removed without any effect, which whoever changes it next will not expect.",
	Fix:     "Remove it.",
	byHand:  true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			r.redundant(v, p, p.rules.Rules, p.rules.RulesField)
			r.redundant(v, p, p.rules.Exclude, p.rules.ExcludeField)
		})
	},
}

func (r *run) redundant(v *view, p *part, list []v1.NamedRuleWithOperations, field string) {
	kept := slices.Clone(list)
	for i := len(list) - 1; i >= 0; i-- {
		others := slices.Delete(slices.Clone(kept), i, i+1)
		if rule.Never(list[i]) {
			continue
		}
		if covered, _ := rule.Covers(others, list[i]); covered {
			r.add(v, p.inBinding, Finding{Severity: Info, Field: fmt.Sprintf("%s[%d]", field, i), Message: "Other rules of the list match all that this one matches."})
			kept[i] = v1.NamedRuleWithOperations{}
		}
	}
}

package hazard

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/rule"
)

// rulesApart reports whether the rules of a policy and of its binding each match something
// and never the same request.
func (r *run) rulesApart(v *view) bool {
	own, bound := v.own.rules, v.bound.rules
	if len(bound.Rules) == 0 || len(v.reach()) > 0 {
		return false
	}
	if len(r.matchedSorts(v, own)) == 0 || len(r.matchedSorts(v, bound)) == 0 {
		return false
	}
	// What is not known may be matched by both, in two versions that are equivalent.
	for _, a := range own.Rules {
		for _, b := range bound.Rules {
			if r.world.mayMeanOthers(a) && r.world.mayMeanOthers(b) && !rule.Disjoint(anyVersion(a), anyVersion(b)) {
				return false
			}
		}
	}
	return true
}

func anyVersion(one v1.NamedRuleWithOperations) v1.NamedRuleWithOperations {
	one.APIVersions = []string{"*"}
	return one
}

var allExcluded = Rule{
	Name:    "exclude-takes-all",
	Summary: "The exclude rules take out all that the rules of a policy match.",
	Why:     "Exclude rules win over rules. The policy is never evaluated.",
	Fix:     "Narrow the exclude rules, or remove the policy.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			if len(p.rules.Exclude) == 0 || len(p.rules.Rules) == 0 || slices.ContainsFunc(p.rules.Rules, r.world.mayMeanOthers) {
				return
			}
			// The names that exclude rules have must not count as taking everything.
			unnamed := slices.DeleteFunc(slices.Clone(p.rules.Exclude), func(one v1.NamedRuleWithOperations) bool { return len(one.ResourceNames) > 0 })
			without, with := only(p.rules, p.rules.Rules...), only(p.rules, p.rules.Rules...)
			with.Exclude = unnamed
			if len(r.matchedSorts(v, without)) > 0 && len(r.matchedSorts(v, with)) == 0 {
				r.add(v, p.inBinding, Finding{Severity: Warning, Field: p.rules.ExcludeField, Message: "Together these rules take out everything that the rules match."})
			}
		})
	},
}

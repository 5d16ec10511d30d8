package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/rule"
)

var ruleNeverMatches = Rule{
	Name:    "rule-never-matches",
	Summary: "A rule, or a resource in it, matches no request that the API server can get.",
	Why:     "A misspelt resource, a version that is not served, or an operation that the resource does not have is accepted without a word, and what it was meant for is not reached. In an exclude rule it keeps nothing out.",
	Fix:     "Name the resource as kubectl api-resources does, with its API group, and the operation that admission sees: CONNECT for exec, attach, portforward and proxy, UPDATE for status and scale. Reads such as pods/log never come.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			r.deadRules(v, p, p.rules.Rules, p.rules.RulesField)
			r.deadRules(v, p, p.rules.Exclude, p.rules.ExcludeField)
		})
	},
}

func (r *run) deadRules(v *view, p *part, list []v1.NamedRuleWithOperations, field string) {
	for i, one := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		switch alive := len(r.matchedSorts(v, only(p.rules, one))) > 0; {
		case rule.Never(one) && !anyScope(one):
			r.add(v, p.inBinding, Finding{Severity: Warning, Field: at, Message: "The rule matches no request, whatever the server serves: " + neverBecause(one) + "."})
		case alive:
			r.deadEntries(v, p, one, at)
		case !r.world.mayMeanOthers(one) && len(r.matchedSorts(v, only(p.rules, withScope(one, v1.AllScopes)))) == 0:
			severity := Warning
			if r.world.lacksGroup(one) {
				// What the resource comes with is not installed here, and may be one day.
				severity = Info
			}
			r.add(v, p.inBinding, Finding{Severity: severity, Field: at, Message: fmt.Sprintf("The rule matches no request: %s.", r.deadBecause(v, p, one))})
		}
	}
}

// anyScope reports whether a rule matches something with another scope; that is said by a
// rule of its own.
func anyScope(one v1.NamedRuleWithOperations) bool { return !rule.Never(withScope(one, v1.AllScopes)) }

func withScope(one v1.NamedRuleWithOperations, scope v1.ScopeType) v1.NamedRuleWithOperations {
	one.Scope = &scope
	return one
}

func neverBecause(one v1.NamedRuleWithOperations) string {
	switch {
	case len(one.APIGroups) == 0 || len(one.APIVersions) == 0 || len(one.Resources) == 0 || len(one.Operations) == 0:
		return "one of its lists is empty"
	}
	return "there is no operation " + joined(one.Operations, ", ")
}

// deadBecause finds the one list of a rule that keeps it from matching anything.
func (r *run) deadBecause(v *view, p *part, one v1.NamedRuleWithOperations) string {
	lives := func(other v1.NamedRuleWithOperations) bool {
		return len(r.matchedSorts(v, only(p.rules, withScope(other, v1.AllScopes)))) > 0
	}
	versions, operations, groups := one, one, one
	versions.APIVersions = []string{"*"}
	operations.Operations = []v1.OperationType{v1.OperationAll}
	groups.APIGroups = []string{"*"}
	groups.APIVersions = []string{"*"}
	switch {
	case slices.ContainsFunc(r.world.all, func(s *sort) bool {
		_, ok := s.matchedBy(only(p.rules, one), r.Facts, v.Phase)
		return ok
	}):
		return "requests for these resources never reach a policy of this kind"
	case lives(operations):
		return fmt.Sprintf("%s has no operation %s", strings.Join(one.Resources, ", "), joined(one.Operations, " or "))
	case lives(versions):
		return fmt.Sprintf("%s is not served in version %s", strings.Join(one.Resources, ", "), strings.Join(one.APIVersions, ", "))
	case lives(groups):
		return fmt.Sprintf("%s is not in API group %s", strings.Join(one.Resources, ", "), quoted(one.APIGroups))
	}
	return fmt.Sprintf("there is no resource %s in API group %s", strings.Join(one.Resources, ", "), quoted(one.APIGroups))
}

// quoted writes API groups; the core group has no name, which would read as nothing.
func quoted(groups []string) string {
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = g
		if g == "" {
			words[i] = `""`
		}
	}
	return strings.Join(words, ", ")
}

// deadEntries reports the resources in a rule that match nothing although the rule does.
func (r *run) deadEntries(v *view, p *part, one v1.NamedRuleWithOperations, field string) {
	var dead []string
	first := -1
	for i, entry := range one.Resources {
		alone := withScope(one, v1.AllScopes)
		alone.Resources = []string{entry}
		if !r.means(alone, entry) || len(r.matchedSorts(v, only(p.rules, alone))) > 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		dead = append(dead, entry)
	}
	if len(dead) == 0 {
		return
	}
	r.add(v, p.inBinding, Finding{Severity: Info, Field: fmt.Sprintf("%s.resources[%d]", field, first),
		Message: fmt.Sprintf("There is no %s of %s for this rule to match.", joined(one.Operations, " or "), strings.Join(dead, ", "))})
}

// means reports whether a resource in a rule can only be one that is known.
func (r *run) means(one v1.NamedRuleWithOperations, entry string) bool {
	if !r.world.mayMeanOthers(one) {
		return true
	}
	if !slices.Contains(one.APIGroups, "*") {
		return false
	}
	plural, _, _ := strings.Cut(entry, "/")
	return slices.ContainsFunc(r.world.all, func(s *sort) bool { return s.GroupVersionResource.Resource == plural })
}

var scopeNeverMatches = Rule{
	Name:    "scope-never-matches",
	Summary: "A rule's scope fits none of its resources.",
	Why:     "Namespaced leaves out all that is outside of namespaces, the Namespaces themselves too; Cluster leaves out all that is inside. A resource is the one or the other.",
	Fix:     "Leave the scope out, or make it the one of the resource: Cluster for Namespaces, Nodes and ClusterRoles.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			r.deadScopes(v, p, p.rules.Rules, p.rules.RulesField)
			r.deadScopes(v, p, p.rules.Exclude, p.rules.ExcludeField)
		})
	},
}

func (r *run) deadScopes(v *view, p *part, list []v1.NamedRuleWithOperations, field string) {
	for i, one := range list {
		if one.Scope == nil || *one.Scope == v1.AllScopes {
			continue
		}
		var dead []string
		for _, entry := range one.Resources {
			alone := one
			alone.Resources = []string{entry}
			if r.means(alone, entry) && len(r.matchedSorts(v, only(p.rules, alone))) == 0 &&
				len(r.matchedSorts(v, only(p.rules, withScope(alone, v1.AllScopes)))) > 0 {
				dead = append(dead, entry)
			}
		}
		if len(dead) > 0 {
			r.add(v, p.inBinding, Finding{Severity: Warning, Field: fmt.Sprintf("%s[%d].scope", field, i),
				Message: fmt.Sprintf("Scope %s never matches %s.", *one.Scope, strings.Join(dead, ", "))})
		}
	}
}

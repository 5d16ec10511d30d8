package rule

import (
	"context"
	"fmt"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"

	"github.com/ambit-k8s/ambit/scope"
)

// dimension is one of the things that a rule narrows by.
type dimension struct {
	// field is the name of the list in the rule, word its plain name.
	field, word string
	want        func(r v1.NamedRuleWithOperations) string
	got         func(a admission.Attributes) string
	// alone leaves only this dimension of a rule and opens all others.
	alone func(r v1.NamedRuleWithOperations) v1.Rule
	// weight says how near a rule is that passes this dimension: a rule for another
	// operation on the same resource is nearer than one for another resource.
	weight int
}

var everything = []string{"*"}

var dimensions = []dimension{
	{field: "resources", word: "resource", weight: 16,
		want: func(r v1.NamedRuleWithOperations) string { return strings.Join(r.Resources, ", ") },
		got:  func(a admission.Attributes) string { return resourceName(a) },
		alone: func(r v1.NamedRuleWithOperations) v1.Rule {
			return v1.Rule{APIGroups: everything, APIVersions: everything, Resources: r.Resources}
		}},
	{field: "apiGroups", word: "group", weight: 8,
		want: func(r v1.NamedRuleWithOperations) string { return groups(r.APIGroups) },
		got:  func(a admission.Attributes) string { return group(a.GetResource().Group) },
		alone: func(r v1.NamedRuleWithOperations) v1.Rule {
			return v1.Rule{APIGroups: r.APIGroups, APIVersions: everything, Resources: all}
		}},
	{field: "apiVersions", word: "version", weight: 4,
		want: func(r v1.NamedRuleWithOperations) string { return strings.Join(r.APIVersions, ", ") },
		got:  func(a admission.Attributes) string { return a.GetResource().Version },
		alone: func(r v1.NamedRuleWithOperations) v1.Rule {
			return v1.Rule{APIGroups: everything, APIVersions: r.APIVersions, Resources: all}
		}},
	{field: "scope", word: "scope", weight: 2,
		want: func(r v1.NamedRuleWithOperations) string { return scopeOf(r) },
		got:  func(a admission.Attributes) string { return scopeOfRequest(a) },
		alone: func(r v1.NamedRuleWithOperations) v1.Rule {
			return v1.Rule{APIGroups: everything, APIVersions: everything, Resources: all, Scope: r.Scope}
		}},
	{field: "operations", word: "operation", weight: 2,
		want: func(r v1.NamedRuleWithOperations) string { return operations(r) },
		got:  func(a admission.Attributes) string { return string(a.GetOperation()) },
		alone: func(v1.NamedRuleWithOperations) v1.Rule {
			return v1.Rule{APIGroups: everything, APIVersions: everything, Resources: all}
		}},
}

// all matches every resource and subresource.
var all = []string{"*/*"}

// passes asks the API server's matcher about one dimension alone.
func (d dimension) passes(r v1.NamedRuleWithOperations, a admission.Attributes) bool {
	alone := v1.RuleWithOperations{Operations: []v1.OperationType{v1.OperationAll}, Rule: d.alone(r)}
	if d.field == "operations" {
		alone.Operations = r.Operations
	}
	m := rules.Matcher{Rule: alone, Attr: a}
	return m.Matches()
}

// Explain implements scope.Layer. Where rules match, the reason is the one that matched;
// where none does, it is the rule that came closest with each dimension that failed.
func (l *Rules) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	d, _ := step.Detail.(*detail)
	switch {
	case step.Outcome == scope.Failed:
		return []scope.Reason{{Field: l.RulesField, Outcome: scope.Failed, Message: step.Err.Error()}}
	case step.Outcome == scope.Open:
		list, field, f := l.Rules, l.RulesField, d.included
		if d.excluded != nil {
			list, field, f = l.Exclude, l.ExcludeField, d.excluded
		}
		missing := step.Missing[0]
		return []scope.Reason{{Field: fmt.Sprintf("%s[%d].resourceNames", field, f.index), Want: strings.Join(list[f.index].ResourceNames, ", "), Got: "not known", Path: missing.Path, Outcome: scope.Open, Message: "It depends on " + missing.Fact + "."}}
	case d.excluded != nil:
		reason := l.matched(l.Exclude, l.ExcludeField, d.excluded, q)
		reason.Outcome = scope.NoMatch
		reason.Message = strings.TrimSpace("An exclude rule takes it out. " + reason.Message)
		return []scope.Reason{reason}
	case d.included != nil:
		return []scope.Reason{l.matched(l.Rules, l.RulesField, d.included, q)}
	case len(l.Rules) == 0 && step.Outcome == scope.Match:
		return []scope.Reason{{Field: l.RulesField, Outcome: scope.Match, Message: "There are no rules here, so every resource passes."}}
	case len(l.Rules) == 0:
		return []scope.Reason{{Field: l.RulesField, Outcome: scope.NoMatch, Message: "There are no rules, so no request ever matches."}}
	}
	return l.nearest(q)
}

// matched describes the rule that matched.
func (l *Rules) matched(list []v1.NamedRuleWithOperations, field string, f *found, q scope.Question) scope.Reason {
	r := list[f.index]
	reason := scope.Reason{
		Field: fmt.Sprintf("%s[%d]", field, f.index), Outcome: scope.Match,
		Want: operations(r) + " " + strings.Join(r.Resources, ", "),
		Got:  string(q.Attributes.GetOperation()) + " " + resourceName(q.Attributes),
	}
	if len(r.ResourceNames) > 0 {
		reason.Want += " named " + strings.Join(r.ResourceNames, ", ")
		reason.Got += " named " + q.Attributes.GetName()
	}
	if f.matched.Resource != q.Attributes.GetResource() {
		reason.Message = fmt.Sprintf("The rule names %s, which is the same object in another version (matchPolicy Equivalent).", f.matched.Resource.GroupVersion().String()+" "+f.matched.Resource.Resource)
	}
	return reason
}

// nearest finds the rule that fails in the least important way and says what failed.
func (l *Rules) nearest(q scope.Question) []scope.Reason {
	best, bestScore := 0, -1
	for i, r := range l.Rules {
		score := 0
		for _, d := range dimensions {
			if d.passes(r, q.Attributes) {
				score += d.weight
			}
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	r := l.Rules[best]
	field := fmt.Sprintf("%s[%d]", l.RulesField, best)
	var reasons []scope.Reason
	for _, d := range dimensions {
		if !d.passes(r, q.Attributes) {
			reasons = append(reasons, scope.Reason{Field: field + "." + d.field, Want: d.want(r), Got: d.got(q.Attributes), Path: requestPath(d.field), Outcome: scope.NoMatch})
		}
	}
	if len(reasons) == 0 && !l.named(r, q.Attributes) {
		got := q.Attributes.GetName()
		if got == "" {
			got = "no name"
		}
		reasons = append(reasons, scope.Reason{Field: field + ".resourceNames", Want: strings.Join(r.ResourceNames, ", "), Got: got, Path: "request.name", Outcome: scope.NoMatch})
	}
	return reasons
}

// requestPath is where a dimension stands in a request.
func requestPath(field string) string {
	switch field {
	case "operations":
		return "request.operation"
	case "scope":
		return "request.namespace"
	}
	return "request.resource"
}

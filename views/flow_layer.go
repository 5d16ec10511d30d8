package views

import (
	"slices"
	"strconv"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// RuleSubjects is whom one rule of a FlowSchema is for. Rule counts from one, and is zero
// where there is only one rule.
type RuleSubjects struct {
	Rule  int
	Chips []Chip
}

// AccessRule is one resourceRule or nonResourceRule as a row of a table, with the rule that
// it belongs to.
type AccessRule struct {
	Rule                     int
	Verbs, Groups, Resources []string
	// Scope says which namespaces the row is for.
	Scope string
	URLs  []string
}

func (v *Layer) subjects(l *flow.Subjects) {
	v.Reads, v.Passes = readsSubjects, "Everybody passes."
	rules := l.Schema.Spec.Rules
	if v.Narrows = len(rules) == 0; v.Narrows {
		v.Problem = "There are no rules, so no request ever matches."
	}
	for i, r := range rules {
		one := RuleSubjects{Rule: ruleNumber(i, len(rules))}
		for _, s := range r.Subjects {
			one.Chips = append(one.Chips, subjectChip(s))
		}
		v.Subjects = append(v.Subjects, one)
		v.Narrows = v.Narrows || whom(r.Subjects) != anyone
	}
}

func (v *Layer) access(l *flow.Rules) {
	v.Reads, v.Passes = readsAccess, "Every request for a resource passes."
	if l.NonResource {
		v.Reads, v.Passes = readsURL, "Every other URL passes."
	}
	rules := l.Schema.Spec.Rules
	for i := range rules {
		number := ruleNumber(i, len(rules))
		if l.NonResource {
			v.urls(rules[i].NonResourceRules, number)
		} else {
			v.resources(rules[i].ResourceRules, number)
		}
	}
	if len(v.Access) == 0 {
		v.Narrows = true
		v.Place = Sentence{}.plain("There are none, so the schema takes ").strong("no request for a resource").plain(".")
		if l.NonResource {
			v.Place = Sentence{}.plain("There are none, so the schema takes ").strong("no request for another URL").plain(".")
		}
	}
}

func (v *Layer) resources(rules []flowcontrolv1.ResourcePolicyRule, number int) {
	for i := range rules {
		r := &rules[i]
		v.Access = append(v.Access, AccessRule{
			Rule: number, Verbs: r.Verbs, Groups: r.APIGroups, Resources: r.Resources, Scope: scopeWords(r),
		})
		v.Narrows = v.Narrows || !takesEveryResource(*r)
	}
}

func (v *Layer) urls(rules []flowcontrolv1.NonResourcePolicyRule, number int) {
	for _, r := range rules {
		v.Access = append(v.Access, AccessRule{Rule: number, Verbs: r.Verbs, URLs: r.NonResourceURLs})
		v.Narrows = v.Narrows || !takesEveryURL(r)
	}
}

// place says between which schemas a schema is asked.
func (v *Layer) place(l *flow.Precedence) {
	v.Reads, v.Narrows = readsPrecedence, true
	schemas := l.Order.Schemas
	at := slices.Index(schemas, l.Schema)
	s := Sentence{}.strong("Number " + count(at+1) + " of " + count(len(schemas))).plain(", at precedence ").strong(precedence(l.Schema))
	if at > 0 {
		s = s.plain(": asked after ").link(schemas[at-1].Name, schemaHref(schemas[at-1].Name))
	} else {
		s = s.plain(": asked first")
	}
	if at < len(schemas)-1 {
		s = s.plain(" and before ").link(schemas[at+1].Name, schemaHref(schemas[at+1].Name))
	} else {
		s = s.plain(" and last of all")
	}
	v.Place = s.plain(". The first schema that matches takes the request.")
}

// precedence writes a precedence as it stands in the manifest.
func precedence(s *flow.Schema) string { return strconv.Itoa(int(s.Spec.MatchingPrecedence)) }

// ruleNumber counts rules from one, where there is more than one to tell apart.
func ruleNumber(i, of int) int {
	if of < 2 {
		return 0
	}
	return i + 1
}

// scopeWords is the scope of a resourceRule in the two fields that make it up.
func scopeWords(r *flowcontrolv1.ResourcePolicyRule) string {
	var parts []string
	switch {
	case alone(r.Namespaces):
		parts = append(parts, "every namespace")
	case len(r.Namespaces) > 0:
		parts = append(parts, strings.Join(r.Namespaces, ", "))
	}
	if r.ClusterScope {
		parts = append(parts, "cluster scope")
	}
	if len(parts) == 0 {
		return "none"
	}
	return list(parts, "and")
}

package views

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
)

// Rule is one resource rule as a row of a table.
type Rule struct {
	Operations, Groups, Versions, Resources, Names []string
	Scope                                          string
}

func newRules(written []v1.NamedRuleWithOperations) []Rule {
	rules := make([]Rule, 0, len(written))
	for _, w := range written {
		r := Rule{Groups: w.APIGroups, Versions: w.APIVersions, Resources: w.Resources, Names: w.ResourceNames, Scope: "*"}
		for _, o := range w.Operations {
			r.Operations = append(r.Operations, string(o))
		}
		if w.Scope != nil {
			r.Scope = string(*w.Scope)
		}
		rules = append(rules, r)
	}
	return rules
}

// what says which resources a rule names, in words.
func (r Rule) what() []string {
	words := make([]string, 0, len(r.Resources))
	for _, resource := range r.Resources {
		word := resource
		switch {
		case resource == "*/*":
			word = "every resource and subresource" + r.ofGroups()
		case resource == "*":
			word = "every resource" + r.ofGroups()
		case strings.HasPrefix(resource, "*/"):
			word = "every " + resource[2:] + " subresource" + r.ofGroups()
		case strings.HasSuffix(resource, "/*"):
			word = resource[:len(resource)-2] + " with all subresources"
		}
		words = append(words, word)
	}
	if len(r.Names) > 0 && len(words) > 0 {
		words[len(words)-1] += " named " + list(r.Names, "or")
	}
	return words
}

// ofGroups narrows "every resource" down to what the rule means by it.
func (r Rule) ofGroups() string {
	word := ""
	if r.Scope != "*" {
		word = " that is " + map[string]string{"Cluster": "cluster-scoped", "Namespaced": "in a namespace"}[r.Scope]
	}
	groups := make([]string, 0, len(r.Groups))
	for _, g := range r.Groups {
		switch g {
		case "*":
			return word
		case "":
			g = "the core group"
		}
		groups = append(groups, g)
	}
	return " of " + list(groups, "and") + word
}

// operations says what a rule's operations are, in words.
func (r Rule) operations() string {
	for _, o := range r.Operations {
		if o == string(v1.OperationAll) {
			return "every operation"
		}
	}
	return list(r.Operations, "and")
}

// reaches reports whether a rule can name a resource, as a person would type it: pods,
// pods/exec, or the beginning of it.
func (r Rule) reaches(resource string) bool {
	sub := strings.Contains(resource, "/")
	for _, written := range r.Resources {
		name, of, _ := strings.Cut(written, "/")
		wanted, wantedOf, _ := strings.Cut(resource, "/")
		switch {
		case strings.HasPrefix(written, resource), written == "*/*":
			return true
		case name == "*" && of == "" && !sub:
			return true
		case (name == "*" || name == wanted) && (of == "*" || of != "" && of == wantedOf):
			return true
		}
	}
	return false
}

// rulesPhrase groups rules by operations, so that the sentence says each of them once.
func rulesPhrase(rules []Rule) string {
	var order []string
	what := map[string][]string{}
	for _, r := range rules {
		operations := r.operations()
		if _, seen := what[operations]; !seen {
			order = append(order, operations)
		}
		for _, word := range r.what() {
			if !slices.Contains(what[operations], word) {
				what[operations] = append(what[operations], word)
			}
		}
	}
	parts := make([]string, 0, len(order))
	for _, operations := range order {
		preposition := " of "
		if operations == "every operation" {
			preposition = " on "
		}
		parts = append(parts, operations+preposition+listSome(what[operations], 4))
	}
	return strings.Join(parts, ", and ")
}

// coreWord shows the core group, whose name is the empty string.
func coreWord(group string) string {
	if group == "" {
		return "core"
	}
	return group
}

func coreWords(groups []string) string {
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = coreWord(g)
	}
	return strings.Join(words, ", ")
}

// anyNames reports whether some rule narrows by name, which most do not.
func anyNames(rules []Rule) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return len(r.Names) > 0 })
}

package generate

import "fmt"

// scopes decides what the rules of one set say about scope. A rule that stands in one webhook once with a scope and once
// without crashes the controller, so a set has each resource in one of both ways.
type scopes struct {
	g     *Generator
	known map[string]bool
	// none allows policies without any rule, which Kyverno refuses of some kinds.
	none bool
}

// resourceRule is what a rule is about.
type resourceRule struct{ groups, versions, resources []string }

// pods is the one rule that autogen extends to controllers.
var pods = resourceRule{[]string{""}, []string{"v1"}, []string{"pods"}}

// otherRules are those that it does not extend. None is about what the controller itself writes while it is tested. The
// lists are not sorted, because Kyverno sorts them.
var otherRules = []resourceRule{
	{[]string{""}, []string{"v1"}, []string{"pods", "pods/ephemeralcontainers"}},
	{[]string{""}, []string{"*"}, []string{"pods"}},
	{[]string{""}, []string{"v1"}, []string{"services"}},
	{[]string{""}, []string{"v1"}, []string{"services", "endpoints"}},
	{[]string{""}, []string{"v1"}, []string{"limitranges", "endpoints", "services"}},
	{[]string{"apps"}, []string{"v1"}, []string{"statefulsets", "deployments"}},
	{[]string{"apps"}, []string{"v1"}, []string{"deployments"}},
	{[]string{"apps", "batch"}, []string{"v1"}, []string{"*"}},
	{[]string{"apps"}, []string{"v1", "v1beta1"}, []string{"*/*"}},
	{[]string{"batch"}, []string{"v1"}, []string{"jobs", "cronjobs"}},
	{[]string{"networking.k8s.io"}, []string{"v1"}, []string{"networkpolicies", "ingresses"}},
	{[]string{"*"}, []string{"v9"}, []string{"*"}},
}

var operationLists = [][]string{
	{"CREATE"}, {"CREATE", "UPDATE"}, {"UPDATE", "CREATE"}, {"DELETE"}, {"*"}, {"CREATE", "CONNECT"},
}

// rules makes up the rules of a policy.
func (s *scopes) rules() []any {
	g := s.g
	if g.once(2) {
		return []any{s.rule(pods)}
	}
	n := 1 + g.IntN(3)
	if s.none && g.once(8) {
		n = 0
	}
	rules := make([]any, 0, n)
	for range n {
		if g.once(4) {
			rules = append(rules, s.rule(pods))
		} else {
			rules = append(rules, s.rule(pick(g, otherRules)))
		}
	}
	return rules
}

func (s *scopes) rule(r resourceRule) map[string]any {
	g := s.g
	rule := map[string]any{
		"apiGroups": texts(r.groups), "apiVersions": texts(r.versions), "resources": texts(r.resources),
		"operations": texts(pick(g, operationLists)),
	}
	key := fmt.Sprint(r)
	written, decided := s.known[key]
	if !decided || g.wild {
		written = g.once(3)
		s.known[key] = written
	}
	if written {
		rule["scope"] = pick(g, []string{"*", "Namespaced", "*", "Cluster"})
	}
	if g.once(10) {
		rule["resourceNames"] = []any{"only-me"}
	}
	return rule
}

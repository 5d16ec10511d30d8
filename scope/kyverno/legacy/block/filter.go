package block

import (
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// Filter is one set of requirements, all of which must hold. One that says nothing matches nothing.
type Filter struct {
	// Field is the path of the filter in its policy.
	Field        string
	requirements []requirement
	empty        bool
}

// newFilter compiles a filter (pkg/engine/utils/match.go, doesResourceMatchConditionBlock). In an exception
// operations do not count, though a filter of operations alone is not empty (pkg/engine/utils/exceptions.go,
// checkResourceDescription).
func newFilter(f *api.ResourceFilter, field string, exception bool) *Filter {
	d := &f.Resources
	at := func(name string) written { return written{field + ".resources." + name} }
	c := &Filter{Field: field}
	add := func(r ...requirement) { c.requirements = append(c.requirements, r...) }
	if len(d.Operations) > 0 && !exception {
		add(operations{at("operations"), d.Operations})
	}
	if len(d.Kinds) > 0 {
		add(newKinds(at("kinds").field, d.Kinds))
	}
	if d.Name != "" {
		add(names{at("name"), []string{d.Name}})
	}
	if len(d.Names) > 0 {
		add(names{at("names"), d.Names})
	}
	if len(d.Namespaces) > 0 {
		add(namespaces{at("namespaces"), d.Namespaces})
	}
	add(newAnnotations(at("annotations").field, d.Annotations)...)
	if d.Selector != nil {
		add(objectLabels{newLabelSelector(at("selector").field, d.Selector)})
	}
	if d.NamespaceSelector != nil {
		add(namespaceLabels{newLabelSelector(at("namespaceSelector").field, d.NamespaceSelector), exception})
	}
	if len(f.Roles) > 0 {
		add(roles{written{field + ".roles"}, f.Roles, "request.roles", "Roles"})
	}
	if len(f.ClusterRoles) > 0 {
		add(roles{written{field + ".clusterRoles"}, f.ClusterRoles, "request.clusterRoles", "ClusterRoles"})
	}
	if len(f.Subjects) > 0 {
		add(subjects{written{field + ".subjects"}, f.Subjects})
	}
	c.empty = len(c.requirements) == 0 && len(d.Operations) == 0
	return c
}

// ask asks all requirements about one of the objects of a request.
func (f *Filter) ask(v *View, s *Side) Answer {
	if f.empty {
		return No
	}
	var missing []scope.Missing
	open := false
	for _, r := range f.requirements {
		switch a := r.ask(v, s); a.Outcome {
		case scope.NoMatch:
			return No
		case scope.Open:
			open, missing = true, append(missing, a.Missing...)
		}
	}
	if open {
		return And(Open(missing...))
	}
	return Yes
}

// score says how near the filter comes to a match.
func (f *Filter) score(v *View, s *Side) int {
	score := 0
	for _, r := range f.requirements {
		if r.ask(v, s).Outcome != scope.NoMatch {
			score += r.weight()
		}
	}
	return score
}

// reasons sets the requirements beside what was observed, only those with an outcome if there is one.
func (f *Filter) reasons(v *View, s *Side, only scope.StepOutcome) []scope.Reason {
	if f.empty {
		return []scope.Reason{{Field: f.Field, Outcome: scope.NoMatch, Message: "A filter that says nothing matches nothing."}}
	}
	var all []scope.Reason
	for _, r := range f.requirements {
		for _, reason := range r.reasons(v, s) {
			if only == "" || reason.Outcome == only {
				all = append(all, reason)
			}
		}
	}
	if len(f.requirements) == 0 {
		all = append(all, scope.Reason{
			Field: f.Field, Outcome: scope.Match, Message: "Operations do not count in an exception, so the filter matches everything.",
		})
	}
	return all
}

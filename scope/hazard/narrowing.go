package hazard

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// narrowing is something that can be taken out of the rules of a policy.
type narrowing struct {
	// field is its path, what the requests that are matched by it, fix how it is taken out.
	field, what, fix string
	// saved are the sorts of request that nothing matches any more.
	saved []*reached
}

// idle says of which sorts of request nothing comes: those for resources that are known, and
// whole operations, whatever the resource is.
type idle struct {
	sort      func(*reached) bool
	operation func(admission.Operation) bool
}

// or is what one or the other says.
func (i idle) or(o idle) idle {
	return idle{
		sort:      func(at *reached) bool { return i.sort(at) || o.sort(at) },
		operation: func(a admission.Operation) bool { return i.operation(a) || o.operation(a) },
	}
}

// narrowingSearch is one search for what can be taken out.
type narrowingSearch struct {
	run  *run
	view *view
	idle idle
	// kept are the rules that are left; one that is taken out as a whole matches nothing.
	kept  []v1.NamedRuleWithOperations
	found []narrowing
	// sorts are those that an item of found is about.
	sorts [][]*reached
}

// narrowings lists what can be taken out of the rules of a policy because nothing comes of
// it. Together they leave every other request matched as it was. There are none if nothing
// comes of the policy at all: that is said elsewhere.
func (r *run) narrowings(v *view, of idle) []narrowing {
	matters := func(at *reached) bool { return !of.sort(at) }
	if v.selectsBadly() || !slices.ContainsFunc(v.matches(), matters) {
		return nil
	}
	s := &narrowingSearch{run: r, view: v, idle: of, kept: slices.Clone(v.own.rules.Rules)}
	for i := range s.kept {
		s.inRule(i)
	}
	return s.saving()
}

// matchedBy lists the sorts of request that one rule matches and that the exclude rules leave.
func (s *narrowingSearch) matchedBy(one v1.NamedRuleWithOperations) []*reached {
	l := only(s.view.own.rules, one)
	l.Exclude = s.view.own.rules.Exclude
	var all []*reached
	for _, at := range s.view.matches() {
		if _, ok := at.matchedBy(l, s.run.Facts, s.view.Phase); ok {
			all = append(all, at)
		}
	}
	return all
}

// allIdle reports whether nothing comes of all that a rule matches: the sorts of request that
// are known, and those for resources that are not.
func (s *narrowingSearch) allIdle(one v1.NamedRuleWithOperations, sorts []*reached) bool {
	if s.run.world.mayMeanOthers(one) {
		for _, o := range operationsOf(one) {
			if !s.idle.operation(o) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(sorts, func(at *reached) bool { return !s.idle.sort(at) })
}

// saving asks the rules that are left about everything once more, and returns what makes a
// difference: a request may be matched by another rule, too. Nothing is returned if some
// request that matters is lost, or seen in another version than before.
func (s *narrowingSearch) saving() []narrowing {
	left := only(s.view.own.rules, s.kept...)
	left.Exclude = s.view.own.rules.Exclude
	lost := map[*reached]bool{}
	for _, at := range s.view.matches() {
		matched, ok := at.matchedBy(left, s.run.Facts, s.view.Phase)
		if ok && matched != at.matched || !ok && !s.idle.sort(at) {
			return nil
		}
		lost[at] = !ok
	}
	var all []narrowing
	for i, n := range s.found {
		for _, at := range s.sorts[i] {
			if lost[at] {
				n.saved = append(n.saved, at)
			}
		}
		if len(n.saved) > 0 {
			all = append(all, n)
		}
	}
	return all
}

// concerned counts the objects whose writes a policy would not be asked about any more.
func (r *run) concerned(v *view, sorts []*reached) *int {
	if v.goesByName() {
		return nil
	}
	selects := v.selects().Object
	return r.count(Query{
		Resource:  resourcesOf(sorts),
		Namespace: func(name string) (in, known bool) { return r.passesNamespace(v, name) },
		Labels:    selects.Has,
	})
}

// resourcesOf tells the resources that sorts of request are for.
func resourcesOf(sorts []*reached) func(schema.GroupVersionResource) bool {
	resources := map[schema.GroupVersionResource]bool{}
	for _, at := range sorts {
		resources[at.GroupVersionResource] = true
	}
	return func(gvr schema.GroupVersionResource) bool { return resources[gvr] }
}

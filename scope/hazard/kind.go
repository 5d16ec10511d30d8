package hazard

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// Kind is a kind of policy that something behind a webhook decides about. What can be wrong with it is partly what is
// wrong with rules and selectors anywhere, and partly its own.
type Kind interface {
	// HazardRules lists the rules that are the kind's own, in the order of the documentation.
	HazardRules() []Rule
	// Hazards returns what these rules find, the policies in any order. Why and Fix may be left empty where the rule's
	// own hold, and Objects where the rule is Unreached.
	Hazards(Input) []Finding
	// HazardMatch returns what of a policy the rules for all kinds can look at; nil for a policy of another kind, and
	// for one that has no rules and selectors.
	HazardMatch(*scope.Policy) *Match
	// WrittenFrom returns what is known of a policy that a controller writes; nil for one that a person does.
	WrittenFrom(p *scope.Policy, all []*scope.Policy) *Written
}

// Match is the rules and selectors of a policy, in the paths at which it writes them.
type Match struct {
	Rules     *rule.Rules
	Namespace *selector.Namespace
	Object    *selector.Object
	// Named asks about all resources that the policy is for, also those that it does not write itself.
	Named scope.Layer
	// Exemption is the layer that keeps the webhook from being called; it may be nil.
	Exemption scope.Layer
	// Called is what comes to the policy at all by its labels; what this keeps out is nothing to count.
	Called selector.Pair
	// Unreached says that no request comes to the policy, for reasons that the rules for all kinds do not know. They
	// say nothing of it then.
	Unreached bool
}

// Written is a policy that a controller writes, and writes again if somebody else changes it.
type Written struct {
	// From are the policies that it is written from. Where one of them has a finding, the written one does not have it,
	// too.
	From []*scope.Policy
	// Fix is a sentence that says what to change in its place.
	Fix string
}

// take lets the rules for all kinds look at a policy.
func (v *view) take(m *Match) {
	v.match, v.exemption = m, m.Exemption
	v.own = &part{rules: m.Rules, namespace: m.Namespace, object: m.Object}
}

// looksAt reports whether a rule can say anything of a policy.
func (r *Rule) looksAt(v *view) bool { return v.match == nil || r.anyKind && !v.match.Unreached }

// ofKind adds what a kind finds by its own rules.
func (r *run) ofKind(k Kind) {
	rules := k.HazardRules()
	for _, f := range k.Hazards(r.Input) {
		i := slices.IndexFunc(rules, func(rule Rule) bool { return rule.Name == f.Rule })
		f.fill(&rules[i])
		if rules[i].Unreached && f.Objects == nil && len(f.Also) == 0 {
			f.Objects = r.meant(f.Policy)
		}
		r.findings = append(r.findings, f)
	}
}

// meant counts the objects that a policy is for, whether they come to it or not.
func (r *run) meant(p *scope.Policy) *int {
	i := slices.IndexFunc(r.views, func(v *view) bool { return v.Policy == p })
	if i < 0 || r.views[i].match == nil || r.views[i].goesByName() {
		return nil
	}
	v := r.views[i]
	var named []*reached
	for _, s := range r.world.all {
		step := v.match.Named.Decide(r.ctx, scope.Question{
			Input: s.input(r.Facts, v.Phase), Matched: scope.Matched{Resource: s.GroupVersionResource, Kind: s.Kind},
		})
		if s.Subresource == "" && (step.Outcome == scope.Match || step.Outcome == scope.Open) {
			named = append(named, &reached{sort: s})
		}
	}
	return r.count(Query{
		Resource: resourcesOf(named), Labels: v.selects().Object.Has,
		Namespace: func(name string) (in, known bool) { return r.inNamespaces(v, v.selects().Namespace, name) },
	})
}

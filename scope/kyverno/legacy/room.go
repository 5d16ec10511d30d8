package legacy

import (
	"fmt"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/block"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/rules"
)

// room is a policy as the engine has it. Its three layers share it.
type room struct {
	policy *api.Legacy
	engine Engine
	rules  []*rule
	// controllers are those that the policy as a whole is extended to; mutates says that a written rule changes the
	// object of the request.
	controllers []string
	mutates     bool
	exceptions  []*exception
	// namespaceLabels says that some block of a rule has a namespaceSelector.
	namespaceLabels bool
}

// rule is a compiled rule.
type rule struct {
	rules.Rule
	match, exclude *block.Block
	kinds          []kind.Selector
	// exceptions are those that name the rule.
	exceptions []*exception
	// validating says that the validating half of the engine has the rule, and controllers for which kinds it derives
	// rules.
	validating  bool
	controllers []string
	// apart says that no other part of Kyverno has the rule.
	apart bool
}

func newRoom(p *api.Legacy, e Engine) *room {
	o := &room{policy: p, engine: e, controllers: rules.Controllers(p), mutates: anyRule(p, (*rules.Rule).Mutates)}
	o.exceptions = newExceptions(p, e.Exceptions.All)
	divided := groups(p)
	for _, one := range rules.Of(p, e.Release) {
		r := o.compile(one)
		r.validating, r.controllers = len(divided) == 0, o.controllers
		o.rules = append(o.rules, r)
		o.namespaceLabels = o.namespaceLabels || !one.Derived() && rules.ReadsNamespaceLabels(&one)
	}
	for _, g := range divided {
		o.divide(g)
	}
	return o
}

// divide takes over the rules that the validating half has of a part of the policy.
func (o *room) divide(g group) {
	for _, one := range rules.Of(g.policy, o.engine.Release) {
		one.Index = g.places[one.Index]
		i := slices.IndexFunc(o.rules, func(r *rule) bool { return r.Index == one.Index && r.Name == one.Name })
		if i < 0 {
			i = len(o.rules)
			r := o.compile(one)
			// Exceptions are looked up by the rules of the whole policy.
			r.apart, r.exceptions = true, nil
			o.rules = append(o.rules, r)
		}
		o.rules[i].validating, o.rules[i].controllers = true, rules.Controllers(g.policy)
	}
}

func (o *room) compile(one rules.Rule) *rule {
	field := fmt.Sprintf("spec.rules[%d]", one.Index)
	r := &rule{Rule: one, match: block.New(&one.Match, field+".match"), exclude: block.New(one.Exclude, field+".exclude")}
	for _, k := range rules.Kinds(&one.Match) {
		r.kinds = append(r.kinds, kind.Parse(k))
	}
	for _, x := range o.exceptions {
		if x.names(one.Name) {
			r.exceptions = append(r.exceptions, x)
		}
	}
	return r
}

// ask asks about all rules at once, once for each question.
func (o *room) ask(q scope.Question) *verdict {
	type key struct {
		*room
		scope.Matched
	}
	return scope.Once(q.Input, key{o, q.Matched}, func() *verdict { return o.judge(q) })
}

// reads is what all three layers read: each follows what the ones before it said.
func (o *room) reads(q scope.Question) scope.Reads {
	v := block.ViewOf(q)
	labels := o.namespaceLabels && v.Namespace != ""
	reads := scope.Reads{Namespace: labels || namespaced(o.policy), NamespaceObject: labels}
	for _, r := range o.rules {
		old := r.Generates()
		r.match.Reads(v, &reads, old)
		r.exclude.Reads(v, &reads, old)
	}
	for _, x := range o.exceptions {
		x.match.Reads(v, &reads, false)
	}
	return reads
}

// step makes a layer's step of its answer.
func (o *room) step(a block.Answer) scope.Step {
	return scope.Step{Outcome: a.Outcome, Stage: o.engine.Stage, Missing: slices.Clip(a.Missing)}
}

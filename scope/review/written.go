package review

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// Some layers stand for others, or decide in a way of their own about what a policy writes as
// all policies do. These are the forms in which they tell what that is.
type (
	// standing is a layer that stands for the same layer of webhooks.
	standing interface {
		scope.Layer
		Written() []scope.Layer
	}
	// extending is a layer of rules that adds to those of the policy.
	extending interface {
		scope.Layer
		Written() *rule.Rules
		Derived() map[string]*rule.Rules
	}
	// conditional is a layer of match conditions that are evaluated elsewhere.
	conditional interface {
		scope.Layer
		Written() []v1.MatchCondition
	}
)

// written lists the layers of a policy, and those that they stand for.
func written(p *scope.Policy) []scope.Layer {
	if p == nil {
		return nil
	}
	var all []scope.Layer
	for _, l := range p.Layers {
		all = append(all, l)
		switch l := l.(type) {
		case standing:
			all = append(all, l.Written()...)
		case extending:
			all = append(all, l.Written())
		}
	}
	return all
}

// rulesOf lists the rules of a policy.
func rulesOf(p *scope.Policy) []*rule.Rules {
	var all []*rule.Rules
	for _, l := range written(p) {
		if r, ok := l.(*rule.Rules); ok {
			all = append(all, r)
		}
	}
	return all
}

// expressions lists the match conditions of a policy.
func expressions(p *scope.Policy) []string {
	var all []string
	for _, l := range written(p) {
		switch l := l.(type) {
		case *condition.Conditions:
			all = append(all, texts(l)...)
		case conditional:
			for _, c := range l.Written() {
				all = append(all, c.Expression)
			}
		}
	}
	return all
}

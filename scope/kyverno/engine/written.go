package engine

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// Written returns the rules as the policy writes them, without those that autogen adds.
func (l *Rules) Written() *rule.Rules { return l.variants[0].rules }

// Derived returns the rules of the policies that autogen derives, by the names that it gives them: defaults, cronjobs.
func (l *Rules) Derived() map[string]*rule.Rules {
	derived := map[string]*rule.Rules{}
	for _, v := range l.variants[1:] {
		derived[v.derived] = v.rules
	}
	return derived
}

// Written returns the conditions as the policy writes them.
func (l *MatchConditions) Written() []v1.MatchCondition { return l.variants[0].conditions }

// Exceptions returns the names of the exceptions that name the policy, as namespace/name.
func (l *Exempt) Exceptions() []string {
	var names []string
	for _, e := range l.exceptions {
		names = append(names, e.Namespace+"/"+e.Name)
	}
	return names
}

// Never says why the policy is evaluated for no request of admission; empty if it may be.
func (l *Selection) Never() string { return l.never.Message }

// Config returns what the ConfigMap says, and whether it is known what it says.
func (l *Filters) Config() (c config.Config, known bool) { return l.config, l.unread == nil }

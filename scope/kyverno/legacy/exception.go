package legacy

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/block"
)

// exception is a compiled exception that names the policy.
type exception struct {
	*api.LegacyException
	match *block.Block
	// rules are patterns of the rules that it names.
	rules []string
}

// newExceptions returns the exceptions that name a policy, in the order in which Kyverno asks them
// (pkg/controllers/exceptions, buildRuleIndex).
func newExceptions(p *api.Legacy, all []*api.LegacyException) []*exception {
	var found []*exception
	for _, x := range all {
		c := &exception{LegacyException: x}
		for _, ref := range x.Spec.Exceptions {
			if ref.PolicyName == joined(p, "/") {
				c.rules = append(c.rules, ref.RuleNames...)
			}
		}
		if len(c.rules) > 0 {
			c.match = block.NewException(&x.Spec.Match, "spec.match")
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b *exception) int { return slices.Compare(a.place(), b.place()) })
	return found
}

func (x *exception) place() []string { return []string{x.Namespace, x.Name} }

// names reports whether the exception is for a rule. A derived rule has a name of its own.
func (x *exception) names(rule string) bool { return kind.LikeAny(x.rules, rule) }

// words names the exception.
func (x *exception) words() string { return "PolicyException " + x.Namespace + "/" + x.Name }

// exempts asks whether the exception exempts a request from a rule. Conditions are not evaluated here.
func (o *room) exempts(x *exception, r *rule, v *block.View) block.Answer {
	_, checksPods := r.Validate["podSecurity"].(map[string]any)
	if checksPods && len(x.Spec.Security) > 0 {
		// Such an exception names controls that the rule leaves out; the rule itself still applies.
		return block.No
	}
	a := x.match.Ask(v, v.Object)
	if x.Spec.Conditions != nil {
		a = block.And(a, block.Open(scope.Missing{
			Path: x.fact() + "/spec.conditions", Fact: "the conditions of " + x.words() + ", which are not evaluated here",
		}))
	}
	return block.And(a, o.accepts(x))
}

// fact is the path of the exception among the facts.
func (x *exception) fact() string { return "policyexception/" + x.Namespace + "/" + x.Name }

// accepts asks whether Kyverno accepts exceptions from where this one is. Without the flag it accepts none.
func (o *room) accepts(x *exception) block.Answer {
	outcome := scope.Open
	if o.engine.Exceptions.Accepted != nil {
		outcome = o.engine.Exceptions.Accepted(x.Namespace)
	}
	if outcome == scope.Open {
		const flags = " (--enablePolicyException, --exceptionNamespace)"
		return block.Open(scope.Missing{Path: x.fact(), Fact: "whether Kyverno accepts exceptions from namespace " + x.Namespace + flags})
	}
	return block.Answer{Outcome: outcome}
}

// bound asks whether a rule applies in spite of all exceptions.
func (o *room) bound(r *rule, v *block.View) block.Answer {
	var all []block.Answer
	for _, x := range r.exceptions {
		all = append(all, o.exempts(x, r, v))
	}
	if o.engine.Exceptions.Unread != nil {
		all = append(all, block.Open(*o.engine.Exceptions.Unread))
	}
	return block.Or(all...).Not()
}

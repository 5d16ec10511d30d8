package hazard

import (
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

var duplicatePolicy = Rule{
	Name:    "duplicate-policy",
	Summary: "Another policy does the same for all that this one matches.",
	Why:     "A webhook is then called twice for one request, or a policy evaluated twice, and a change to the one is undone by the other.",
	Fix:     "Remove the one that is contained in the other.",
	byHand:  true,
	find: func(r *run) {
		for i, v := range r.views {
			for j, other := range r.views {
				if i == j || r.ctx.Err() != nil || !sameEffect(v, other) || !within(v, other) {
					continue
				}
				// Of two that are equal the later one is reported.
				if within(other, v) && i < j {
					continue
				}
				r.add(v, true, Finding{Severity: Warning, Field: v.place(), Message: fmt.Sprintf("%s does the same for all that this matches.", other.Title())})
				break
			}
		}
	},
}

// place is the path of the policy as a whole.
func (v *view) place() string {
	if v.isWebhook() {
		return v.field("name")
	}
	return "spec"
}

// sameEffect reports whether two policies do the same with a request that both match.
func sameEffect(a, b *view) bool {
	if a.Kind != b.Kind || !a.whole() || !b.whole() || a.FailurePolicy != b.FailurePolicy {
		return false
	}
	if a.isWebhook() {
		return equality.Semantic.DeepEqual(a.called(), b.called()) && sameConditions(a, b)
	}
	return equality.Semantic.DeepEqual(a.evaluates(), b.evaluates()) && sameConditions(a, b)
}

// called is all of a webhook but its name and its scope.
func (v *view) called() any {
	switch w := v.webhook.(type) {
	case v1.ValidatingWebhook:
		w.Name, w.Rules, w.MatchPolicy, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions, w.FailurePolicy = "", nil, nil, nil, nil, nil, nil
		return w
	case v1.MutatingWebhook:
		w.Name, w.Rules, w.MatchPolicy, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions, w.FailurePolicy = "", nil, nil, nil, nil, nil, nil
		return w
	}
	return nil
}

// evaluates is all of an admission policy and its binding but the scope.
func (v *view) evaluates() any {
	type pair struct {
		Policy, Ref, Actions any
	}
	switch {
	case v.validating != nil:
		p := *v.validating
		p.MatchConstraints, p.MatchConditions, p.FailurePolicy = nil, nil, nil
		return pair{p, v.paramRef, v.actions}
	case v.mutating != nil:
		p := *v.mutating
		p.MatchConstraints, p.MatchConditions, p.FailurePolicy = nil, nil, nil
		return pair{p, v.paramRef, nil}
	}
	return nil
}

// sameConditions compares the expressions of match conditions; their names decide nothing.
func sameConditions(a, b *view) bool {
	return slices.Equal(a.conditionTexts(), b.conditionTexts())
}

func (v *view) conditionTexts() []string {
	if v.conditions == nil {
		return nil
	}
	texts := make([]string, len(v.conditions.Conditions))
	for i, c := range v.conditions.Conditions {
		texts[i] = c.Expression
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// within reports whether one policy matches only what another matches, by the algebra of
// selectors and rules. It may miss some that are, and never says so of one that is not.
func within(a, b *view) bool {
	as, bs := a.selects(), b.selects()
	if relation := as.Relate(bs); relation != selector.Same && relation != selector.Narrower {
		return false
	}
	// A pair that selects nothing is within every other, and is reported as what it is.
	if as.Empty() || len(a.parts()) != len(b.parts()) || !as.Namespace.Implies(bs.Namespace) || !as.Object.Implies(bs.Object) {
		return false
	}
	for i, p := range a.parts() {
		if !rulesWithin(p.rules, b.parts()[i].rules) {
			return false
		}
	}
	return true
}

// rulesWithin reports whether rules match only what others match, with the exclude rules and
// the match policy the same.
func rulesWithin(a, b *rule.Rules) bool {
	if !a.Within(b) {
		return false
	}
	if len(a.Rules) == 0 || len(b.Rules) == 0 {
		return len(b.Rules) == 0 && b.EmptyMatches
	}
	return slices.ContainsFunc(a.Rules, func(one v1.NamedRuleWithOperations) bool { return !rule.Never(one) })
}

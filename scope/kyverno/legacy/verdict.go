package legacy

import (
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/block"
)

// verdict is what all rules of a policy say about a request.
type verdict struct {
	view *block.View
	// elsewhere says that the policy is for another namespace, and failed why Kyverno refuses the request.
	elsewhere bool
	failed    error
	trials    []trial
	// match, exclude and exceptions are what the layers say.
	match, exclude, exceptions block.Answer
}

// trial is one rule asked about one of the objects of a request.
type trial struct {
	rule *rule
	side *block.Side
	// why is the sentence that says why the engine does not ask the rule at all; empty if it does.
	why string
	// matched, spared and bound say that the match block matches, that the exclude block does not, and that no
	// exception does.
	matched, spared, bound block.Answer
}

// judge asks all rules.
func (o *room) judge(q scope.Question) *verdict {
	v := &verdict{view: block.ViewOf(q)}
	v.elsewhere = namespaced(o.policy) && v.view.Namespace != o.namespace()
	lookedUp := false
	for _, r := range o.rules {
		why := o.leavesOut(r, v.view, q.Request.DryRun)
		lookedUp = lookedUp || why == ""
		for _, side := range v.sides(r) {
			t := trial{rule: r, side: side, why: why, matched: block.No, spared: r.exclude.Ask(v.view, side).Not()}
			if why == "" && !v.elsewhere {
				t.matched = r.match.Ask(v.view, side)
			}
			t.bound = o.bound(r, v.view)
			v.trials = append(v.trials, t)
		}
	}
	if lookedUp && !v.elsewhere {
		v.failed = o.missesNamespace(q, v.view)
	}
	v.settle()
	return v
}

// sides are the objects that a rule is asked about: the new one, or else the old one. One that generates is asked
// about both, because Kyverno takes back what it generated when the object does not match any more
// (pkg/engine/background.go, filterRule).
func (v *verdict) sides(r *rule) []*block.Side {
	if r.Generates() && v.view.Old != nil && v.view.Old != v.view.Object {
		return []*block.Side{v.view.Object, v.view.Old}
	}
	return []*block.Side{v.view.Object}
}

// namespace is the one that a Policy is for (pkg/engine/internal/match.go, checkNamespacedPolicy).
func (o *room) namespace() string {
	if o.policy.Namespace == "" {
		return "default"
	}
	return o.policy.Namespace
}

// missesNamespace is the error that refuses a request whose namespace is needed and does not exist.
func (o *room) missesNamespace(q scope.Question, v *block.View) error {
	if !o.namespaceLabels || v.Namespace == "" {
		return nil
	}
	if _, presence := q.Namespace(); presence != scope.Absent {
		return nil
	}
	return fmt.Errorf("failed to create policy context: namespaces %q not found", v.Namespace)
}

// settle works out what the layers say. Each narrows what the one before it left.
func (v *verdict) settle() {
	matched := v.column(func(t *trial) block.Answer { return t.matched })
	spared := v.column(func(t *trial) block.Answer { return t.spared })
	bound := v.column(func(t *trial) block.Answer { return t.bound })
	v.match = block.Or(matched...)
	v.exclude = narrowed(matched, spared)
	left := make([]block.Answer, len(matched))
	for i := range matched {
		left[i] = block.And(matched[i], spared[i])
	}
	if block.Or(left...).Outcome == scope.NoMatch {
		// Nothing is left, so that the exceptions tell what they would say of the rules that match.
		left = matched
	}
	v.exceptions = narrowed(left, bound)
}

func (v *verdict) column(of func(*trial) block.Answer) []block.Answer {
	all := make([]block.Answer, len(v.trials))
	for i := range v.trials {
		all[i] = of(&v.trials[i])
	}
	return all
}

// narrowed says whether a layer lets a request pass, with what the layers before it left of the rules and what it
// says of each itself. Where a rule is left for sure, it says whether one stays. Where none is sure to be left, an
// earlier layer has said so already, and this one tells whether it would let one pass that may be left, or any at
// all.
func narrowed(left, own []block.Answer) block.Answer {
	var both, would, all []block.Answer
	sure := false
	for i := range left {
		sure = sure || left[i].Outcome == scope.Match
		both = append(both, block.And(left[i], own[i]))
		all = append(all, own[i])
		if left[i].Outcome != scope.NoMatch {
			would = append(would, own[i])
		}
	}
	switch {
	case len(left) == 0:
		return block.Yes
	case sure:
		return block.Or(both...)
	case len(would) > 0:
		return block.Or(would...)
	}
	return block.Or(all...)
}

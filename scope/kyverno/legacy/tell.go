package legacy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// mostRules is how many rules are told of that answer alike.
const mostRules = 5

// only returns the trials that something holds of, one for each rule.
func (v *verdict) only(holds func(*trial) bool) []*trial {
	var told []*trial
	for i := range v.trials {
		t := &v.trials[i]
		if holds(t) && !slices.ContainsFunc(told, func(o *trial) bool { return o.rule == t.rule }) {
			told = append(told, t)
		}
	}
	return told
}

// each tells of several trials, and how many more there are.
func (v *verdict) each(told []*trial, tell func(*trial) []scope.Reason) []scope.Reason {
	var all []scope.Reason
	for i, t := range told {
		if i == mostRules {
			return append(all, scope.Reason{Field: "spec.rules", Message: fmt.Sprintf("So it is with %d more rules.", len(told)-i)})
		}
		all = append(all, tell(t)...)
	}
	return all
}

// noted puts a sentence before the message of the first reason.
func noted(reasons []scope.Reason, note string) []scope.Reason {
	if len(reasons) > 0 {
		reasons[0].Message = strings.TrimSpace(note + " " + reasons[0].Message)
	}
	return reasons
}

func noRules(outcome scope.StepOutcome) []scope.Reason {
	return []scope.Reason{{Field: "spec.rules", Outcome: outcome, Message: "The policy has no rules."}}
}

// depends tells of rules that a layer would let a request pass for, if only it were known that the layers before it do.
func (v *verdict) depends() []scope.Reason {
	told := v.only(func(t *trial) bool { return t.matched.Outcome == scope.Open })
	reasons := v.each(told, func(t *trial) []scope.Reason {
		return noted(t.rule.match.Reasons(v.view, t.side), t.rule.subject()+" may match.")
	})
	spared := v.only(func(t *trial) bool { return t.matched.Outcome == scope.Match && t.spared.Outcome == scope.Open })
	return append(reasons, v.each(spared, func(t *trial) []scope.Reason {
		excluded := t.rule.exclude.Reasons(v.view, t.side)
		for i := range excluded {
			excluded[i].Outcome = scope.Open
		}
		return noted(excluded, "The exclude block of "+t.rule.words()+" may match.")
	})...)
}

// field is the path of the rule, or of the one that it is derived from.
func (r *rule) field() string { return fmt.Sprintf("spec.rules[%d]", r.Index) }

// words names the rule, and subject does so at the beginning of a sentence.
func (r *rule) words() string {
	if r.Derived() {
		return "rule " + r.Name + ", which Kyverno derives for " + strings.Join(r.Controllers, ", ") + ","
	}
	return "rule " + r.Name
}

func (r *rule) subject() string { return "R" + r.words()[1:] }

// unevaluated tells of the conditions of a rule that are evaluated after its blocks, and not here.
func (r *rule) unevaluated() []scope.Reason {
	var all []scope.Reason
	add := func(name string) {
		all = append(all, scope.Reason{
			Field: r.field() + "." + name, Got: "not evaluated",
			Message: "The rule applies only where its preconditions hold. They are not evaluated here.",
		})
	}
	if r.Preconditions != nil {
		add("preconditions")
	}
	if len(r.CELPreconditions) > 0 {
		add("celPreconditions")
	}
	return all
}

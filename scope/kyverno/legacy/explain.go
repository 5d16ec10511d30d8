package legacy

import (
	"context"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/block"
)

// Explain implements scope.Layer.
func (l *matchLayer) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	v := l.ask(q)
	switch {
	case step.Outcome == scope.Failed:
		namespace := v.view.Namespace
		return []scope.Reason{{
			Got: "no namespace " + namespace, Path: "namespace/" + namespace, Outcome: scope.Failed, Message: step.Err.Error(),
		}}
	case v.elsewhere:
		return []scope.Reason{{
			Field: "metadata.namespace", Want: l.namespace(), Got: v.view.Place(), Path: "request.namespace", Outcome: scope.NoMatch,
			Message: "A Policy is for objects in its own namespace.",
		}}
	case step.Outcome == scope.NoMatch:
		return v.closest()
	}
	told := v.only(func(t *trial) bool { return t.matched.Outcome == step.Outcome })
	return v.each(told, func(t *trial) []scope.Reason {
		word := " matches."
		if step.Outcome == scope.Open {
			word = " may match."
		}
		return append(noted(t.rule.match.Reasons(v.view, t.side), t.rule.subject()+word), t.rule.unevaluated()...)
	})
}

// closest tells of the rule that comes closest to a match, or of those that are not asked although they would match.
func (v *verdict) closest() []scope.Reason {
	kept := v.only(func(t *trial) bool { return t.why != "" && t.rule.match.Ask(v.view, t.side).Outcome != scope.NoMatch })
	if len(kept) > 0 {
		return v.each(kept, func(t *trial) []scope.Reason {
			return []scope.Reason{{
				Field: t.rule.field(), Got: v.view.Asked(), Path: "request", Outcome: scope.NoMatch,
				Message: t.rule.subject() + " is not asked. " + t.why,
			}}
		})
	}
	if len(v.trials) == 0 {
		return noRules(scope.NoMatch)
	}
	best := &v.trials[0]
	for i := range v.trials {
		if t := &v.trials[i]; t.rule.match.Score(v.view, t.side) > best.rule.match.Score(v.view, best.side) {
			best = t
		}
	}
	note := best.rule.subject() + " comes closest."
	if len(v.trials) == 1 {
		note = best.rule.subject() + " does not match."
	}
	return noted(best.rule.match.Reasons(v.view, best.side), note)
}

// Explain implements scope.Layer.
func (l *excludeLayer) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	v := l.ask(q)
	if len(v.trials) == 0 {
		return noRules(step.Outcome)
	}
	told := v.only(func(t *trial) bool { return t.spared.Outcome == step.Outcome && t.matched.Outcome != scope.NoMatch })
	if len(told) == 0 && step.Outcome == scope.Open && v.match.Outcome != scope.NoMatch {
		return v.depends()
	}
	if len(told) == 0 {
		told = v.only(func(t *trial) bool { return t.spared.Outcome == step.Outcome })
	}
	return v.each(told, func(t *trial) []scope.Reason {
		if t.rule.Exclude == nil {
			return []scope.Reason{{Field: t.rule.field(), Outcome: scope.Match, Message: t.rule.subject() + " excludes nothing."}}
		}
		reasons := t.rule.exclude.Reasons(v.view, t.side)
		for i := range reasons {
			reasons[i].Outcome = step.Outcome
		}
		switch step.Outcome {
		case scope.NoMatch:
			return noted(reasons, "The exclude block of "+t.rule.words()+" matches.")
		case scope.Open:
			return noted(reasons, "The exclude block of "+t.rule.words()+" may match.")
		}
		return noted(reasons, "The exclude block of "+t.rule.words()+" does not match.")
	})
}

// Explain implements scope.Layer. The requirements stand in exceptions, so that they have no field in the policy.
func (l *exceptionsLayer) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if l.nothingExempts() {
		return []scope.Reason{{Outcome: scope.Match, Message: "No PolicyException names a rule of the policy."}}
	}
	v := l.ask(q)
	if len(v.trials) == 0 {
		return noRules(step.Outcome)
	}
	told := v.only(func(t *trial) bool { return t.bound.Outcome == step.Outcome && t.matched.Outcome != scope.NoMatch })
	if len(told) == 0 && step.Outcome == scope.Open && v.match.Outcome != scope.NoMatch {
		return v.depends()
	}
	if len(told) == 0 {
		told = v.only(func(t *trial) bool { return t.bound.Outcome == step.Outcome })
	}
	reasons := v.each(told, func(t *trial) []scope.Reason { return l.exempted(t, v.view) })
	if m := l.engine.Exceptions.Unread; m != nil && step.Outcome == scope.Open {
		reasons = append(reasons, scope.Reason{
			Got: "not known", Path: m.Path, Outcome: scope.Open, Message: "It depends on " + m.Fact + ".",
		})
	}
	return reasons
}

// exempted tells what the exceptions of a rule say.
func (o *room) exempted(t *trial, v *block.View) []scope.Reason {
	if len(t.rule.exceptions) == 0 {
		return []scope.Reason{{Outcome: scope.Match, Message: "No PolicyException names " + t.rule.words() + "."}}
	}
	var all []scope.Reason
	for _, x := range t.rule.exceptions {
		a := o.exempts(x, t.rule, v)
		if a.Not().Outcome != t.bound.Outcome {
			continue
		}
		note := x.words() + " exempts " + t.rule.words() + "."
		switch a.Outcome {
		case scope.NoMatch:
			note = x.words() + " does not exempt " + t.rule.words() + "."
		case scope.Open:
			facts := make([]string, len(a.Missing))
			for i, m := range a.Missing {
				facts[i] = m.Fact
			}
			note = x.words() + " may exempt " + t.rule.words() + ". It depends on " + strings.Join(facts, "; ") + "."
		}
		reasons := x.match.Reasons(v, v.Object)
		for i := range reasons {
			note := reasons[i].Field
			reasons[i].Field, reasons[i].Outcome = "", a.Not().Outcome
			reasons[i].Message = strings.TrimSpace("In the exception: " + note + ". " + reasons[i].Message)
		}
		all = append(all, scope.Reason{Got: x.words(), Path: x.fact(), Outcome: a.Not().Outcome, Message: note})
		all = append(all, reasons...)
	}
	return all
}

package flow

import (
	"context"
	"fmt"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
)

const verbPath = "request.verb"

// takesTheRest is what catch-all does with a request that its rules do not match.
const takesTheRest = "The API server gives catch-all every request that no schema matches, whatever its rules say."

// Explain implements scope.Layer.
func (l *Exempt) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if step.Outcome == scope.Match {
		return nil
	}
	who := newAsker(q.Input)
	d := digestOf(&who, q.Input, q.Request.Access.Verbs[0])
	return []scope.Reason{{Got: d.words(), Path: pathOfTarget(&d), Outcome: step.Outcome, Message: d.bypass()}}
}

// Explain implements scope.Layer. Where a subject matches, the reason is that subject;
// where none does, there is one reason for each rule.
func (l *Subjects) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	who := newAsker(q.Input)
	var nobody, open []scope.Reason
	for i, rule := range l.Schema.Spec.Rules {
		field := fmt.Sprintf("spec.rules[%d].subjects", i)
		for j, s := range rule.Subjects {
			if who.subject(s) == scope.Match {
				return []scope.Reason{{Field: fmt.Sprintf("%s[%d]", field, j), Want: SubjectWords(s), Got: who.words(), Path: pathOfSubject(s), Outcome: scope.Match}}
			}
		}
		r := scope.Reason{Field: field, Want: subjectsWords(rule.Subjects), Got: who.words(), Path: userPath, Outcome: scope.NoMatch}
		if who.among(rule.Subjects) == scope.NoMatch {
			nobody = append(nobody, r)
			continue
		}
		r.Outcome = step.Outcome
		open = append(open, r)
	}
	switch {
	case len(l.Schema.Spec.Rules) == 0:
		return []scope.Reason{{Field: "spec.rules", Outcome: step.Outcome, Message: "There are no rules, so no request ever matches."}}
	case len(open) > 0 && step.Outcome == scope.Match:
		open[0].Message = "Every request comes from one of these groups."
		return open[:1]
	case step.Outcome == scope.Match:
		return []scope.Reason{{Field: "metadata.name", Want: "catch-all", Outcome: scope.Match, Message: takesTheRest}}
	case step.Outcome == scope.Open:
		for i := range open {
			open[i].Message = "It depends on " + step.Missing[0].Fact + "."
		}
		return open
	}
	return shortened(nobody)
}

// mostReasons is how many rules are shown one by one when none of them fits.
const mostReasons = 4

func shortened(reasons []scope.Reason) []scope.Reason {
	if len(reasons) <= mostReasons {
		return reasons
	}
	left := len(reasons) - mostReasons
	reasons = reasons[:mostReasons]
	reasons[mostReasons-1].Message = fmt.Sprintf("The subjects of %d more rules do not match either.", left)
	return reasons
}

func pathOfSubject(s flowcontrolv1.Subject) string {
	if s.Kind == flowcontrolv1.SubjectKindGroup {
		return groupsPath
	}
	return userPath + ".username"
}

// Explain implements scope.Layer. Where a rule covers the request the reason is that
// rule; where none does, it is the rule that came closest with each part that failed.
func (l *Rules) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if step.Aside {
		return nil
	}
	who := newAsker(q.Input)
	var reasons []scope.Reason
	for _, verb := range q.Request.Access.Verbs {
		d := digestOf(&who, q.Input, verb)
		found := l.covering(&who, &d)
		if found == nil {
			found = l.nearest(&who, &d)
		}
		for _, r := range found {
			if !contains(reasons, r) {
				reasons = append(reasons, r)
			}
		}
	}
	if step.Outcome == scope.Open && len(reasons) > 0 {
		reasons[0].Message = strings.TrimSpace(reasons[0].Message + " It depends on " + step.Missing[0].Fact + ".")
	}
	return reasons
}

func contains(reasons []scope.Reason, r scope.Reason) bool {
	for _, other := range reasons {
		if other.Field == r.Field && other.Got == r.Got {
			return true
		}
	}
	return false
}

// covering describes the first rule that counts and covers the request, or returns nil.
func (l *Rules) covering(who *asker, d *Digest) []scope.Reason {
	for _, i := range l.counting(who) {
		rule := &l.Schema.Spec.Rules[i]
		for j := range l.parts(rule) {
			if p := l.part(rule, j); p.covers(d) {
				return []scope.Reason{{Field: l.field(i, j), Want: p.words(), Got: d.words(), Path: pathOfTarget(d), Outcome: scope.Match}}
			}
		}
	}
	if l.Schema.isFallback() {
		return []scope.Reason{{Field: "metadata.name", Want: "catch-all", Outcome: scope.Match, Message: takesTheRest}}
	}
	return nil
}

// counting returns the indices of the rules that count: those whose subjects may match,
// and if there is none, all.
func (l *Rules) counting(who *asker) []int {
	var some, all []int
	for i, rule := range l.Schema.Spec.Rules {
		all = append(all, i)
		if who.among(rule.Subjects) != scope.NoMatch {
			some = append(some, i)
		}
	}
	if len(some) == 0 {
		return all
	}
	return some
}

// nearest finds the rule that fails in the least important way and says what failed.
func (l *Rules) nearest(who *asker, d *Digest) []scope.Reason {
	var closest []scope.Reason
	best := -1
	counting := l.counting(who)
	for _, i := range counting {
		rule := &l.Schema.Spec.Rules[i]
		for j := range l.parts(rule) {
			score, failed := l.part(rule, j).judge(d, l.field(i, j))
			if score > best {
				best, closest = score, failed
			}
		}
	}
	if best >= 0 {
		return closest
	}
	none := scope.Reason{Field: "spec.rules", Outcome: scope.NoMatch, Got: d.words(), Path: pathOfTarget(d)}
	if len(counting) > 0 {
		none.Field = fmt.Sprintf("spec.rules[%d]", counting[0])
	}
	none.Message = "No rule for these subjects has resourceRules, so this schema takes no request for a resource from them."
	if l.NonResource {
		none.Message = "No rule for these subjects has nonResourceRules, so this schema takes no request for such a URL from them."
	}
	return []scope.Reason{none}
}

// Explain implements scope.Layer.
func (l *Precedence) Explain(_ context.Context, _ scope.Question, step scope.Step) []scope.Reason {
	r := scope.Reason{Field: "spec.matchingPrecedence", Want: "no schema before it takes the request", Outcome: step.Outcome}
	taker, _ := step.Detail.(*Schema)
	level := l.Schema.Spec.PriorityLevelConfiguration.Name
	switch {
	case l.Schema.Dangling():
		r.Field, r.Want, r.Got = "spec.priorityLevelConfiguration.name", "PriorityLevelConfiguration "+level, "no such priority level"
		r.Path, r.Message = "prioritylevelconfiguration/"+level, "The API server ignores a FlowSchema whose priority level does not exist."
	case step.Outcome == scope.Open && len(step.Missing) > 0:
		r.Got, r.Message = "not known", "It depends on "+step.Missing[0].Fact+"."
		r.Path = step.Missing[0].Path
	case taker != nil:
		r.Got, r.Path = fmt.Sprintf("%s at %d takes it", taker.Name, taker.Spec.MatchingPrecedence), "flowschema/"+taker.Name
		if taker.Spec.MatchingPrecedence == l.Schema.Spec.MatchingPrecedence {
			r.Message = "Among schemas of the same precedence the name decides, in alphabetical order."
		}
	default:
		r.Got = fmt.Sprintf("none, up to %d", l.Schema.Spec.MatchingPrecedence)
	}
	return []scope.Reason{r}
}

package views

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// why says in one sentence what decided a trace that is not plainly included, and returns
// the reason that it speaks of.
func why(ctx context.Context, t *scope.Trace, e *Entry, lines Lines) (Sentence, *Reason) {
	at := deciding(t)
	if t.Outcome == scope.Unknown {
		return dependsOn(t.Missing()), nil
	}
	if t.Outcome == scope.Included {
		return refusedAnyway(t), nil
	}
	if at < 0 {
		return nil, nil
	}
	reason, ok := decidingReason(t.Reasons(ctx, at), t.Steps(ctx)[at].Outcome)
	if !ok {
		return Sentence{}.plain(titles[t.DecidedBy] + " " + layerWord(t.DecidedBy, t.Steps(ctx)[at].Outcome) + "."), nil
	}
	r := newReason(reason, e, lines)
	if t.Outcome == scope.Error {
		return failed(t, r), &r
	}
	return excludedBy(t, e, r), &r
}

// deciding is the index of the layer that decided, or -1.
func deciding(t *scope.Trace) int {
	for i, l := range t.Policy.Layers {
		if t.DecidedBy != "" && l.Name() == t.DecidedBy {
			return i
		}
	}
	return -1
}

// decidingReason is the first reason that says what its layer says.
func decidingReason(reasons []scope.Reason, outcome scope.StepOutcome) (scope.Reason, bool) {
	for _, r := range reasons {
		if r.Outcome == outcome {
			return r, true
		}
	}
	if len(reasons) > 0 {
		return reasons[0], true
	}
	return scope.Reason{}, false
}

func excludedBy(t *scope.Trace, e *Entry, r Reason) Sentence {
	if t.Policy.Phase == scope.FlowControl {
		return letGoBy(t.DecidedBy, r)
	}
	switch t.DecidedBy {
	case scope.NamespaceSelector, scope.BindingNamespaceSelector, scope.WebhookNamespaceSelector, scope.MatchNamespaceSelector:
		if t.DecidedBy == scope.WebhookNamespaceSelector && strings.HasPrefix(r.Want, corev1.LabelMetadataName+" NotIn ") {
			return leftOut(t, e, r)
		}
		where := r.Where
		if where == "" {
			where = "the object"
		}
		return has(where, r).plain(", and the " + selectorOf(t.DecidedBy, "namespace selector") + " asks for ").quoted(r.Want).plain(".")
	case scope.ObjectSelector, scope.BindingObjectSelector, scope.WebhookObjectSelector, scope.MatchObjectSelector:
		if r.Want == "" {
			return Sentence{}.plain(r.Message)
		}
		return has("the object", r).plain(", and the " + selectorOf(t.DecidedBy, "object selector") + " asks for ").quoted(r.Want).plain(". Whoever submits the object writes its labels.")
	case scope.MatchConditions, scope.WebhookMatchConditions:
		return Sentence{}.plain("Condition ").quoted(r.Name).plain(" is false").values(r).plain(".")
	}
	if r.Message != "" {
		return Sentence{}.plain(r.Message)
	}
	return Sentence{}.plain("The rules need ").quoted(r.Want).plain(", the request has ").quoted(r.Got).plain(".")
}

// leftOut says that the webhook of a policy of Kyverno is not for a namespace, and whether it is for any.
func leftOut(t *scope.Trace, e *Entry, r Reason) Sentence {
	s := Sentence{}.plain("Its webhook leaves out " + r.Where + " (").quoted(r.Want).plain("), so Kyverno is not asked.")
	if never := reachesNothing(t.Policy, e.Own); never != nil {
		s = s.plain(" ").strong(capital(never[0].Text)).plain(".")
	}
	return s
}

// has begins a sentence with what was observed.
func has(where string, r Reason) Sentence {
	s := Sentence{}.plain(capital(where) + " has ").quoted(r.Got)
	if r.Exact && r.Line > 0 {
		s = s.plain(" (line " + count(r.Line) + ")")
	}
	return s
}

func selectorOf(layer scope.LayerName, word string) string {
	switch layer {
	case scope.BindingNamespaceSelector, scope.BindingObjectSelector:
		return "binding's " + word
	case scope.WebhookNamespaceSelector, scope.WebhookObjectSelector:
		return word + " of its webhook"
	}
	return word
}

// values names the first few sub-expressions that made a condition false.
func (s Sentence) values(r Reason) Sentence {
	separator := ": "
	for i, v := range r.Values {
		if i == 2 {
			break
		}
		s = s.plain(separator).quoted(shorten(v.Expression, 60)).plain(" is ").quoted(shorten(v.Value, 60))
		separator = ", "
	}
	return s
}

// failed says what an error is and what it does to the request.
func failed(t *scope.Trace, r Reason) Sentence {
	s := Sentence{}
	switch {
	case r.Name != "":
		s = s.plain("Condition ").quoted(r.Name).plain(" fails: ").quoted(r.Message)
	case r.Message != "":
		s = s.plain(titles[t.DecidedBy] + ": ").quoted(r.Message)
	default:
		s = s.plain(titles[t.DecidedBy] + " fails")
	}
	switch t.Effect {
	case scope.Rejected:
		if t.Policy.FailurePolicy == "Ignore" {
			return s.plain(". The request is refused although failurePolicy is Ignore.")
		}
		return s.plain(". failurePolicy is Fail, so the request is refused.")
	case scope.Skipped:
		return s.plain(". The policy is skipped and the request goes on.")
	}
	return s.plain(".")
}

// controls are the fields of the request builder in which a missing fact can be given.
var controls = map[string]string{
	"request.userInfo": "ask-user", "request.userInfo.groups": "ask-groups", "oldObject": "ask-oldObject", "request.name": "ask-name",
	"request.dryRun": "ask-dryRun", "request.namespace": "ask-namespace", "request.operation": "ask-operation",
}

// dependsOn names the missing facts and leads to where they can be given.
func dependsOn(missing []scope.Missing) Sentence {
	s := Sentence{}.plain("It depends on ")
	for i, m := range missing {
		switch {
		case i > 0 && i == len(missing)-1:
			s = s.plain(" and on ")
		case i > 0:
			s = s.plain(", on ")
		}
		if id := control(m.Path); id != "" {
			s = s.link(m.Fact, "#"+id)
			continue
		}
		s = s.plain(m.Fact)
		if strings.HasPrefix(m.Path, "object.") || strings.HasPrefix(m.Path, "oldObject.") {
			s = s.plain(" (").quoted(m.Path).plain(")")
		}
	}
	if len(missing) == 0 {
		s = s.plain("something that is not known")
	}
	return s.plain(".")
}

// control finds the field for a path or for what it is part of.
func control(path string) string {
	if id, ok := controls[path]; ok {
		return id
	}
	for p, id := range controls {
		if path == p || len(path) > len(p) && path[:len(p)] == p && (path[len(p)] == '.' || path[len(p)] == '[') {
			return id
		}
	}
	return ""
}

// refusedAnyway explains an included request that is refused without asking.
func refusedAnyway(t *scope.Trace) Sentence {
	if t.Effect != scope.Rejected {
		return nil
	}
	return Sentence{}.plain("The webhook has side effects, and a dry run must not call one that has. The request is refused.")
}

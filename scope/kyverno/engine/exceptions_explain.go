package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// Explain implements scope.Layer.
func (l *Exempt) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	var reasons []scope.Reason
	if note, ok := step.Detail.(verdict); ok {
		path := pathOf(note.exception.Exception)
		reason := scope.Reason{Field: path + ".spec.policyRefs", Want: "no exception", Path: path, Outcome: step.Outcome}
		reason.Got = note.exception.Namespace + "/" + note.exception.Name
		if step.Outcome == scope.NoMatch {
			reason.Message = "The exception exempts the request from the policy."
		}
		reasons = append(append(reasons, reason), note.exception.conditions.explain(ctx, received(q), note.said)...)
	}
	if step.Outcome == scope.Open {
		for _, m := range step.Missing {
			reasons = append(reasons, m.Reason())
		}
	}
	if len(reasons) == 0 && len(l.exceptions) > 0 {
		const none = "No exception that names the policy exempts the request."
		reasons = append(reasons, scope.Reason{Outcome: scope.Match, Message: none})
	}
	return reasons
}

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Exempt) ReadsOnlyResource() bool {
	return !slices.ContainsFunc(l.exceptions, func(e exception) bool { return len(e.conditions) > 0 })
}

// Reads implements scope.Reader.
func (l *Exempt) Reads(q scope.Question) scope.Reads {
	var all []scope.Reads
	for _, e := range l.exceptions {
		all = append(all, e.conditions.reads(received(q)))
	}
	return scope.JoinReads(all...)
}

// Key implements scope.Keyed for a layer without exceptions.
func (l *Exempt) Key() string {
	if len(l.exceptions) == 0 {
		return fmt.Sprint("no exceptions ", l.stage, " ", l.unread != nil)
	}
	return ""
}

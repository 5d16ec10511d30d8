package engine

import (
	"context"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Explain implements scope.Layer.
func (l *Filters) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	note, _ := step.Detail.(filtered)
	reason := scope.Reason{Outcome: step.Outcome}
	const silent = "Kyverno allows the request without a look at any policy, and says so nowhere."
	switch {
	case note.identity != nil:
		reason.Field, reason.Path = "data."+note.identity.field, "request.userInfo"
		reason.Want, reason.Got = note.identity.pattern, note.identity.got
	case note.filter != nil:
		reason.Field, reason.Path = "data.resourceFilters", "request"
		reason.Want, reason.Got = note.filter.Written, targetOf(q).String()
	case note.deletes:
		reason.Want, reason.Got, reason.Path = "CREATE, UPDATE or CONNECT", "DELETE", "request.operation"
	case note.internal:
		reason.Want, reason.Got, reason.Path = "an object that is not Kyverno's own", q.Matched.Kind.Kind, "request.kind"
	}
	switch {
	case step.Outcome == scope.NoMatch:
		reason.Message = silent
	case step.Outcome == scope.Open:
		var facts []string
		for _, m := range step.Missing {
			facts = append(facts, m.Fact)
		}
		reason.Message = "It depends on " + strings.Join(facts, ", and ") + "."
	case len(l.config.Filters)+len(listed(l.config.Excluded)) == 0:
		reason.Message = "Nothing is filtered: the ConfigMap has neither resourceFilters nor exclusions."
	default:
		reason.Want, reason.Got = "no resourceFilter and no exclusion that matches", targetOf(q).String()
	}
	return []scope.Reason{reason}
}

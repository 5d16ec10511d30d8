package condition

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/ambit-k8s/ambit/scope"
)

// Explain implements scope.Layer: one reason per condition. Where the conditions do not
// all hold, the reasons have the values of the sub-expressions that decided. Where the policy was evaluated with several
// parameters, the reasons are those of each evaluation, named by its parameter.
func (l *Conditions) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	runs, _ := step.Detail.([]*run)
	var reasons []scope.Reason
	for _, r := range runs {
		if r.details == nil && r.outcome != scope.Match {
			l.watch(ctx, q, r)
		}
		if r.err != nil {
			reasons = append(reasons, scope.Reason{Outcome: scope.Failed, Message: r.err.Error()})
			continue
		}
		for i, c := range l.Conditions {
			reason := l.reason(c, r, i)
			if len(runs) > 1 {
				reason.Path = paramName(r)
			}
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// watch runs the conditions again to see the values of their sub-expressions. The outcome
// stays the one of the first run.
func (l *Conditions) watch(ctx context.Context, q scope.Question, r *run) {
	r.details = map[*openProgram]*cel.EvalDetails{}
	l.run(ctx, q, r, &recordingAuthorizer{inner: q.Facts.Authorizer}, r.details)
}

func (l *Conditions) reason(c Condition, r *run, i int) scope.Reason {
	result := r.results[i]
	reason := scope.Reason{Field: c.Field, Want: c.Expression}
	switch {
	case result.Error != nil:
		reason.Outcome, reason.Got, reason.Message = scope.Failed, "error", result.Error.Error()
	case types.IsUnknown(result.EvalResult):
		reason.Outcome, reason.Got = scope.Open, "cannot tell"
		for _, m := range r.waitsFor(result) {
			if reason.Message != "" {
				reason.Message += " "
			}
			reason.Message += "It depends on " + m.Fact + "."
			reason.Path = m.Path
		}
	case result.EvalResult == types.True:
		reason.Outcome, reason.Got = scope.Match, "true"
	default:
		reason.Outcome, reason.Got = scope.NoMatch, "false"
	}
	if o := l.programs[i].open(); o != nil && r.details != nil {
		reason.Values = o.values(r.details[o])
	}
	return reason
}

// paramName names the parameter of an evaluation as a fact.
func paramName(r *run) string {
	accessor, err := meta.Accessor(r.param)
	if err != nil {
		return "params"
	}
	if accessor.GetNamespace() != "" {
		return "params/" + accessor.GetNamespace() + "/" + accessor.GetName()
	}
	return "params/" + accessor.GetName()
}

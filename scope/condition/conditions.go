// Package condition holds the layer that reads the whole request: CEL match conditions.
// Where the request is known whole, the API server's compiled programs decide. Where the
// question leaves parts open, the same expressions run under cel-go's partial
// evaluation, inside the same upstream loop, and may come out as unknown.
package condition

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/ambit-k8s/ambit/scope"
)

// Condition is one compiled match condition.
type Condition struct {
	Name       string
	Expression string
	// Field is the path of the expression in the policy.
	Field string
	// Err is why it does not compile, in the words of the API server; nil if it does.
	Err error
}

// ParamsOf resolves the parameters with which the conditions are evaluated, one
// evaluation each. A nil object stands for an evaluation without a parameter; open says
// that the parameter is not known.
type ParamsOf func(q scope.Question) (params []runtime.Object, open *scope.Missing)

// Conditions is the layer of match conditions.
type Conditions struct {
	Conditions []Condition
	// Params is nil for policies without parameters: then there is one evaluation.
	Params ParamsOf
	// OnError is what an error does to the request under the failure policy.
	OnError scope.Effect

	exact    celplugin.ConditionEvaluator
	programs []*program
}

// Name implements scope.Layer.
func (l *Conditions) Name() scope.LayerName { return scope.MatchConditions }

// run is one evaluation of all conditions, with one parameter.
type run struct {
	param   runtime.Object
	results []celplugin.EvaluationResult
	// err fails all conditions together: the cost budget is spent.
	err     error
	details *evaluation
	outcome scope.StepOutcome
}

// Decide implements scope.Layer. With several parameters the policy is evaluated once
// for each: it is included if any evaluation goes on to the policy, and an error in any
// of them refuses the request under Fail.
func (l *Conditions) Decide(ctx context.Context, q scope.Question) scope.Step {
	step := scope.Step{Outcome: scope.Match, Stage: scope.StageConditions}
	if len(l.Conditions) == 0 {
		return step
	}
	params, open := []runtime.Object{nil}, q.Open
	if l.Params != nil {
		var missing *scope.Missing
		if params, missing = l.Params(q); missing != nil {
			open = append(slices.Clone(open), *missing)
		}
	}
	runs := make([]*run, 0, len(params))
	for _, p := range params {
		runs = append(runs, l.evaluate(ctx, q, p, open))
	}
	step.Detail = runs
	step.Outcome = l.combine(runs)
	switch step.Outcome {
	case scope.Failed:
		step.OnError = l.OnError
		step.Err = firstError(runs)
	case scope.Open:
		step.Missing = missing(runs)
	}
	return step
}

// combine joins the evaluations. An error is fatal only under Fail; under Ignore another
// evaluation that matches still brings the policy in.
func (l *Conditions) combine(runs []*run) scope.StepOutcome {
	has := func(o scope.StepOutcome) bool {
		return slices.ContainsFunc(runs, func(r *run) bool { return r.outcome == o })
	}
	order := []scope.StepOutcome{scope.Match, scope.Open, scope.Failed}
	if l.OnError == scope.Rejected {
		order = []scope.StepOutcome{scope.Failed, scope.Open, scope.Match}
	}
	for _, o := range order {
		if has(o) {
			return o
		}
	}
	return scope.NoMatch
}

// evaluate runs all conditions with one parameter.
func (l *Conditions) evaluate(ctx context.Context, q scope.Question, param runtime.Object, open []scope.Missing) *run {
	v := q.Versioned(q.Matched.Kind)
	if v.Err != nil {
		open = append(slices.Clone(open), scope.Missing{Path: "object", Fact: v.Err.Error()}, scope.Missing{Path: "oldObject", Fact: v.Err.Error()})
	}
	authz := &recordingAuthorizer{inner: q.Facts.Authorizer}
	inputs := celplugin.OptionalVariableBindings{VersionedParams: param, Authorizer: authz}
	if q.Facts.Authorizer == nil || slices.ContainsFunc(open, func(m scope.Missing) bool { return isPrefix("request.userInfo", m.Path) }) {
		open = append(slices.Clone(open), authorizerOpen)
	}
	r := &run{param: param}
	if !l.touches(open) {
		r.results, _, r.err = l.exact.ForInput(ctx, v.Attributes, v.Request, inputs, nil, celconfig.RuntimeCELCostBudgetMatchConditions)
	} else {
		l.evaluateOpen(ctx, v, inputs, open, r)
	}
	if authz.failed != nil {
		open = append(slices.Clone(open), scope.Missing{Path: "authorizer", Fact: "what the authorizer says (" + authz.failed.Error() + ")"})
		l.evaluateOpen(ctx, v, inputs, open, r)
	}
	r.outcome = r.decide()
	return r
}

var authorizerOpen = scope.Missing{Path: "authorizer", Fact: "what the authorizer says"}

// touches reports whether any open part of the request can matter to the conditions. If
// none does, the API server's own programs decide.
func (l *Conditions) touches(open []scope.Missing) bool {
	return len(open) > 0 && slices.ContainsFunc(l.programs, func(p *program) bool { return p.touches(open) })
}

// evaluateOpen runs the conditions with parts of the request left open, and keeps what
// each sub-expression evaluated to.
func (l *Conditions) evaluateOpen(ctx context.Context, v *scope.Versioned, inputs celplugin.OptionalVariableBindings, open []scope.Missing, r *run) {
	compiled := make([]celplugin.CompilationResult, len(l.programs))
	for i, p := range l.programs {
		compiled[i] = p.exact
		compiled[i].ExpressionAccessor = accessor(l.Conditions[i])
		if o := p.open(); o != nil {
			compiled[i].Program = o
		}
	}
	r.details = &evaluation{open: open, details: map[*openProgram]*cel.EvalDetails{}}
	ctx = context.WithValue(ctx, evaluationKey{}, r.details)
	r.results, _, r.err = celplugin.NewCondition(compiled).ForInput(ctx, v.Attributes, v.Request, inputs, nil, celconfig.RuntimeCELCostBudgetMatchConditions)
}

// decide is the API server's precedence over the results of one evaluation
// (plugin/webhook/matchconditions/matcher.go, Match): a spent budget beats everything,
// one false beats any error. What is unknown could still be false.
func (r *run) decide() scope.StepOutcome {
	if r.err != nil {
		return scope.Failed
	}
	outcome := scope.Match
	for _, result := range r.results {
		switch {
		case result.Error != nil:
			if outcome == scope.Match {
				outcome = scope.Failed
			}
		case result.EvalResult == types.False:
			return scope.NoMatch
		case types.IsUnknown(result.EvalResult):
			outcome = scope.Open
		}
	}
	return outcome
}

func firstError(runs []*run) error {
	for _, r := range runs {
		if r.outcome != scope.Failed {
			continue
		}
		if r.err != nil {
			return r.err
		}
		var errs []error
		for _, result := range r.results {
			if result.Error != nil {
				errs = append(errs, result.Error)
			}
		}
		return utilerrors.NewAggregate(errs)
	}
	return errors.New("match conditions failed")
}

// missing names the facts that the open results wait for.
func missing(runs []*run) []scope.Missing {
	var all []scope.Missing
	for _, r := range runs {
		if r.outcome != scope.Open {
			continue
		}
		for _, result := range r.results {
			for _, m := range r.waitsFor(result) {
				if !slices.Contains(all, m) {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// waitsFor names the open parts of the request in an unknown result.
func (r *run) waitsFor(result celplugin.EvaluationResult) []scope.Missing {
	unknown, ok := result.EvalResult.(*types.Unknown)
	if !ok {
		return nil
	}
	var all []scope.Missing
	for _, id := range unknown.IDs() {
		trails, _ := unknown.GetAttributeTrails(id)
		for _, trail := range trails {
			for _, m := range r.details.open {
				if isPrefix(m.Path, trail.String()) && !slices.Contains(all, m) {
					all = append(all, m)
				}
			}
		}
	}
	if len(all) == 0 {
		all = append(all, scope.Missing{Path: "request", Fact: fmt.Sprintf("a part of the request that is not given (%s)", unknown)})
	}
	return all
}

// isPrefix reports whether one path leads to or is led to by another.
func isPrefix(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || strings.HasPrefix(b, a) && (b[len(a)] == '.' || b[len(a)] == '[')
}

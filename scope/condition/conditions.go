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

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"

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
	// NamespaceOf resolves namespaceObject, nil being null; missing says that it is not known. Without it
	// namespaceObject is null, as in all match conditions that the API server evaluates.
	NamespaceOf func(q scope.Question) (namespace *corev1.Namespace, missing *scope.Missing)
	// OnError is what an error does to the request under the failure policy.
	OnError scope.Effect

	// exact evaluates with the API server's own programs, open with programs that may leave
	// parts of the request open; the second is made when it is first needed.
	exact    celplugin.ConditionEvaluator
	open     func() celplugin.ConditionEvaluator
	programs []*program
}

// Name implements scope.Layer.
func (l *Conditions) Name() scope.LayerName { return scope.MatchConditions }

// run is one evaluation of all conditions, with one parameter.
type run struct {
	param     runtime.Object
	namespace *corev1.Namespace
	results   []celplugin.EvaluationResult
	cost      int64
	// err fails all conditions together: the cost budget is spent.
	err error
	// open is what was left open, and details the values of sub-expressions once somebody
	// has asked for them.
	open    []opened
	details map[*openProgram]*cel.EvalDetails
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
	params, open := []runtime.Object{nil}, openOf(q)
	if l.Params != nil {
		var missing *scope.Missing
		if params, missing = l.Params(q); missing != nil {
			open = append(open, opened{*missing, []string{celplugin.ParamsVarName}})
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

// openOf lists what is open for a question. The list has room for more.
func openOf(q scope.Question) []opened {
	paths := q.OpenPaths()
	open := make([]opened, len(paths), len(paths)+4)
	for i, path := range paths {
		open[i] = opened{q.Open[i], path}
	}
	return open
}

// evaluate runs all conditions with one parameter.
func (l *Conditions) evaluate(ctx context.Context, q scope.Question, param runtime.Object, open []opened) *run {
	v := q.Versioned(q.Matched.Kind)
	open = slices.Clone(open)
	if v.Err != nil {
		for _, name := range []string{celplugin.ObjectVarName, celplugin.OldObjectVarName} {
			open = append(open, opened{scope.Missing{Path: name, Fact: v.Err.Error()}, []string{name}})
		}
	}
	var namespace *corev1.Namespace
	if l.NamespaceOf != nil {
		var missing *scope.Missing
		if namespace, missing = l.NamespaceOf(q); missing != nil {
			open = append(open, opened{*missing, []string{celplugin.NamespaceVarName}})
		}
	}
	authz := &recordingAuthorizer{inner: q.Facts.Authorizer}
	if q.Facts.Authorizer == nil || slices.ContainsFunc(open, func(o opened) bool { return scope.Overlap(o.path, userInfo) }) {
		open = append(open, opened{authorizerOpen, authorizerPath})
	}
	r := &run{param: param, namespace: namespace, open: open}
	l.run(ctx, q, r, authz, nil)
	if authz.failed != nil {
		r.open = append(open, opened{scope.Missing{Path: celplugin.AuthorizerVarName, Fact: "what the authorizer says (" + authz.failed.Error() + ")"}, authorizerPath})
		l.run(ctx, q, r, authz, nil)
	}
	r.outcome = r.decide()
	return r
}

var (
	userInfo       = []string{celplugin.RequestVarName, "userInfo"}
	authorizerPath = []string{celplugin.AuthorizerVarName}
	authorizerOpen = scope.Missing{Path: celplugin.AuthorizerVarName, Fact: "what the authorizer says"}
)

// run evaluates the conditions: with the API server's own programs if nothing open can
// matter to them, and otherwise with open ones. With details it only watches.
func (l *Conditions) run(ctx context.Context, q scope.Question, r *run, authz *recordingAuthorizer, details map[*openProgram]*cel.EvalDetails) {
	v := q.Versioned(q.Matched.Kind)
	evaluator := l.exact
	if details != nil || l.touches(r.open) {
		evaluator = l.open()
		ctx = context.WithValue(ctx, evaluationKey{}, &evaluation{open: r.open, details: details})
	}
	results, cost, err := forInput(ctx, evaluator, v, r, authz)
	if details == nil {
		r.results, r.cost, r.err = results, cost, err
	}
}

// touches reports whether any open part of the request can matter to the conditions. If
// none does, the API server's own programs decide.
func (l *Conditions) touches(open []opened) bool {
	return len(open) > 0 && slices.ContainsFunc(l.programs, func(p *program) bool { return p.touches(open) })
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
			outcome = and(outcome, scope.Failed)
		case result.EvalResult == types.False:
			return scope.NoMatch
		case types.IsUnknown(result.EvalResult):
			outcome = and(outcome, scope.Open)
		}
	}
	return outcome
}

// and joins what some conditions came to with what one more did.
func and(all, one scope.StepOutcome) scope.StepOutcome {
	for _, first := range []scope.StepOutcome{scope.NoMatch, scope.Open, scope.Failed} {
		if all == first || one == first {
			return first
		}
	}
	return scope.Match
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
			for _, o := range r.open {
				if scope.Overlap(o.path, pathOfTrail(trail)) && !slices.Contains(all, o.Missing) {
					all = append(all, o.Missing)
				}
			}
		}
	}
	if len(all) == 0 {
		all = append(all, scope.Missing{Path: "request", Fact: fmt.Sprintf("a part of the request that is not given (%s)", unknown)})
	}
	return all
}

// pathOfTrail writes what cel-go knows of an unknown value as a path.
func pathOfTrail(trail *types.AttributeTrail) []string {
	path := scope.SplitPath(trail.Variable())
	for _, name := range trail.QualifierPath() {
		path = append(path, fmt.Sprint(name))
	}
	return path
}

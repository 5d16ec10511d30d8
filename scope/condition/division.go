package condition

import (
	"context"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/ambit-k8s/ambit/scope"
)

// Reads implements scope.Reader. With parameters the answer depends on which there are in
// the namespace, too.
func (l *Conditions) Reads(scope.Question) scope.Reads {
	all := []scope.Reads{{Namespace: l.Params != nil, Params: l.Params != nil}}
	for _, p := range l.programs {
		r := p.extent()
		if l.NamespaceOf != nil && p.mentions(celplugin.NamespaceVarName) {
			r.Namespace, r.NamespaceObject = true, true
		}
		all = append(all, r)
	}
	return scope.JoinReads(all...)
}

// mentions reports whether an expression mentions a variable.
func (p *program) mentions(variable string) bool {
	return slices.ContainsFunc(p.reads(), func(path []string) bool { return path[0] == variable })
}

// ReadsOnlyResource implements scope.ResourceLayer: where there are no conditions, nothing is
// read.
func (l *Conditions) ReadsOnlyResource() bool { return len(l.programs) == 0 }

// Key implements scope.Keyed for a layer without conditions.
func (l *Conditions) Key() string {
	if len(l.programs) == 0 {
		return "no conditions"
	}
	return ""
}

// Divisions implements scope.Divided: each condition is a question of its own, which
// reads less than all of them, and which other policies may ask, too. Conditions with
// parameters are asked together, once for each parameter, and so are those that see the Namespace.
func (l *Conditions) Divisions() []scope.Division {
	if l.Params != nil || l.NamespaceOf != nil {
		return nil
	}
	divisions := make([]scope.Division, len(l.programs))
	for i, p := range l.programs {
		divisions[i] = (*division)(p)
	}
	return divisions
}

// Join implements scope.Divided. The conditions share one cost budget; when it is spent,
// that beats everything (plugin/cel/condition.go, ForInput).
func (l *Conditions) Join(said []scope.Said) scope.Step {
	step := scope.Step{Outcome: scope.Match, Stage: scope.StageConditions}
	budget := int64(celconfig.RuntimeCELCostBudgetMatchConditions)
	spent := false
	for _, s := range said {
		if spent = spent || s.Spent || s.Cost > budget; spent {
			break
		}
		budget -= s.Cost
		step.Outcome = and(step.Outcome, s.Outcome)
	}
	if spent {
		step.Outcome = scope.Failed
	}
	if step.Outcome == scope.Failed {
		step.OnError = l.OnError
	}
	return step
}

// division is one expression, asked alone.
type division program

// Key implements scope.Division.
func (d *division) Key() any { return d }

// Reads implements scope.Division.
func (d *division) Reads(scope.Question) scope.Reads { return d.extent() }

// Ask implements scope.Division. It evaluates the expression as a list of one condition.
func (d *division) Ask(ctx context.Context, q scope.Question) scope.Said {
	r := d.alone().evaluate(ctx, q, nil, openOf(q))
	return scope.Said{Outcome: r.outcome, Cost: r.cost, Spent: r.err != nil}
}

// aloneOf makes the layer that has one expression for its only condition.
func aloneOf(p *program, expression string) *Conditions {
	l := &Conditions{programs: []*program{p}, Conditions: []Condition{{Expression: expression, Err: compileError(p)}}}
	l.prepare([]v1.MatchCondition{{Expression: expression}})
	return l
}

func compileError(p *program) error {
	if p.exact.Error == nil {
		return nil
	}
	return p.exact.Error
}

// forInput runs an evaluator under the budget of match conditions and says what it cost.
func forInput(ctx context.Context, evaluator celplugin.ConditionEvaluator, v *scope.Versioned, r *run, authz *recordingAuthorizer) (results []celplugin.EvaluationResult, cost int64, err error) {
	inputs := celplugin.OptionalVariableBindings{VersionedParams: r.param, Authorizer: authz}
	results, left, err := evaluator.ForInput(ctx, v.Attributes, v.Request, inputs, r.namespace, celconfig.RuntimeCELCostBudgetMatchConditions)
	return results, celconfig.RuntimeCELCostBudgetMatchConditions - left, err
}

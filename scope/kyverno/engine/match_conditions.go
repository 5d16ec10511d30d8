package engine

import (
	"context"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
)

// MatchConditions is the layer of a policy's matchConditions, as the engine evaluates them: for a request that autogen
// extends the policy to, in the words that it rewrites them to.
type MatchConditions struct {
	*matching
	lists   map[*variant]conditions
	stage   scope.Stage
	onError scope.Effect
	// skipsExtracted says that the policy mutates: Kyverno does not do that inside of custom controllers
	// (mpol/engine/engine.go, handlePolicy).
	skipsExtracted bool
}

func (r Room) conditionsOf(p *api.Policy, m *matching, stage scope.Stage) *MatchConditions {
	l := &MatchConditions{
		matching: m, lists: map[*variant]conditions{}, stage: stage, onError: r.onError(p),
		skipsExtracted: mutates(p.PolicyKind()),
	}
	for _, v := range m.variants {
		l.lists[v] = r.newConditions(v.conditions, "spec.matchConditions", l.onError)
	}
	return l
}

// Name implements scope.Layer.
func (l *MatchConditions) Name() scope.LayerName { return scope.MatchConditions }

// templates is what conditions about a custom controller depend on: they are evaluated for each Pod's template in it.
var templates = scope.Missing{
	Path: "object", Fact: "what the conditions say to the Pod templates that Kyverno finds in the object",
}

// Decide implements scope.Layer.
func (l *MatchConditions) Decide(ctx context.Context, q scope.Question) scope.Step {
	v := l.variant(ctx, q)
	switch {
	case v.derived == autogen.Extract && l.skipsExtracted:
		return scope.Step{Outcome: scope.NoMatch, Stage: l.stage}
	case v.derived == autogen.Extract && len(v.conditions) > 0:
		return scope.Step{Outcome: scope.Open, Stage: l.stage, Missing: []scope.Missing{templates}}
	}
	return l.lists[v].decide(ctx, received(q)).step(l.stage, l.onError)
}

// Explain implements scope.Layer.
func (l *MatchConditions) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	v := l.variant(ctx, q)
	s, ok := step.Detail.(said)
	switch {
	case ok && len(s.steps) == 0:
		return nil
	case ok:
		reasons := l.lists[v].explain(ctx, received(q), s)
		if v.derived != "" {
			for i := range reasons {
				reasons[i].Message += " Autogen rewrote the condition for controllers that make Pods."
			}
		}
		return reasons
	case step.Outcome == scope.NoMatch:
		return []scope.Reason{{
			Field: "spec.autogen.podControllers.controllers", Got: q.Matched.Kind.Kind, Outcome: scope.NoMatch,
			Message: "Kyverno is called for custom controllers of Pods, but does not mutate inside of them.",
		}}
	}
	reason := templates.Reason()
	reason.Field = "spec.matchConditions"
	return []scope.Reason{reason}
}

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *MatchConditions) ReadsOnlyResource() bool {
	for _, v := range l.variants {
		if len(v.conditions) > 0 {
			return false
		}
	}
	return true
}

// Reads implements scope.Reader.
func (l *MatchConditions) Reads(q scope.Question) scope.Reads {
	return l.lists[l.variant(context.Background(), q)].reads(received(q))
}

// Key implements scope.Keyed for a layer without conditions.
func (l *MatchConditions) Key() string {
	if l.ReadsOnlyResource() && !l.skipsExtracted {
		return "no conditions"
	}
	return ""
}

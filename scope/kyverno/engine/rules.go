package engine

import (
	"context"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Rules is the layer of a policy's resource rules, with those that autogen adds. Exclude rules come first, names may be
// the beginning of a generateName, and there is no matchPolicy: the webhook has settled the version
// (pkg/cel/matching/matcher.go, Match).
type Rules struct{ *matching }

// Name implements scope.Layer.
func (l *Rules) Name() scope.LayerName { return scope.MatchResourceRules }

// decided is the layer's note: the variant that decided, and its own step.
type decided struct {
	variant *variant
	step    scope.Step
}

// Decide implements scope.Layer.
func (l *Rules) Decide(ctx context.Context, q scope.Question) scope.Step {
	own := scope.Step{}
	for i, v := range l.variants {
		step := v.rules.Decide(ctx, received(q))
		if i == 0 {
			own = step
		}
		if step.Outcome != scope.NoMatch {
			return noted(step, v)
		}
	}
	return noted(own, l.variants[0])
}

func noted(step scope.Step, v *variant) scope.Step {
	outer := step
	outer.Detail = decided{v, step}
	return outer
}

// Explain implements scope.Layer.
func (l *Rules) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	d := step.Detail.(decided)
	reasons := d.variant.rules.Explain(ctx, received(q), d.step)
	for i := range reasons {
		if d.variant.derived != "" {
			reasons[i].Field = matchField + ".resourceRules[0]"
			reasons[i].Message = "Autogen extends the policy for Pods to controllers that make Pods. " + reasons[i].Message
			reasons[i].Message = strings.TrimSpace(reasons[i].Message)
		}
	}
	return reasons
}

// Reads implements scope.Reader. Only the policy as it is written may have names.
func (l *Rules) Reads(q scope.Question) scope.Reads { return l.variants[0].rules.Reads(q) }

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Rules) ReadsOnlyResource() bool { return l.variants[0].rules.ReadsOnlyResource() }

// NamesResource implements scope.Namer.
func (l *Rules) NamesResource(q scope.Question) bool {
	for _, v := range l.variants {
		if v.rules.NamesResource(q) {
			return true
		}
	}
	return false
}

// Key implements scope.Keyed.
func (l *Rules) Key() string {
	var keys []string
	for _, v := range l.variants {
		keys = append(keys, v.rules.Key())
	}
	return strings.Join(keys, " ")
}

// variant returns the variant that a request is for; the policy as it is written if it is for none.
func (m *matching) variant(ctx context.Context, q scope.Question) *variant {
	for _, v := range m.variants[1:] {
		if v.rules.Decide(ctx, received(q)).Outcome == scope.Match {
			return v
		}
	}
	return m.variants[0]
}

package views

import (
	"context"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Gate is one layer in a trail: a sign, how it is drawn, and what it says in words.
type Gate struct{ Sign, Class, Label string }

// Trail is the way of a request through the layers of a policy, up to the one that
// decides and, dashed, beyond it.
type Trail []Gate

// base are the layers that every trail has, so that trails can be compared; the others
// appear where they ask for something or do not match.
var base = map[scope.LayerName]bool{
	scope.ResourceRules: true, scope.NamespaceSelector: true, scope.ObjectSelector: true, scope.MatchConditions: true,
	scope.Subjects: true, scope.NonResourceRules: true, scope.Precedence: true,
	scope.WebhookResourceRules: true, scope.WebhookNamespaceSelector: true, scope.WebhookObjectSelector: true, scope.ResourceFilters: true,
}

// NewTrail draws the steps of a trace. Layers are those of the policy's description.
func NewTrail(ctx context.Context, t *scope.Trace, asks map[scope.LayerName]bool) Trail {
	var trail Trail
	stopped := false
	for i, step := range t.Steps(ctx) {
		name := t.Policy.Layers[i].Name()
		decides := name == t.DecidedBy
		if step.Aside || !base[name] && !decides && step.Outcome == scope.Match && !asks[name] {
			continue
		}
		trail = append(trail, newGate(name, step.Outcome, decides, stopped))
		stopped = stopped || decides
	}
	return trail
}

func newGate(name scope.LayerName, outcome scope.StepOutcome, decides, stopped bool) Gate {
	g := Gate{Sign: stepSign(outcome), Label: titles[name] + " " + layerWord(name, outcome)}
	switch {
	case decides:
		g.Class = strings.TrimSuffix("stop "+stepClass(outcome), " out")
		g.Label += ", which decides"
	case stopped && outcome == scope.Match:
		g.Class = "would"
		g.Label = titles[name] + " would match"
		if sparing(name) {
			g.Label = titles[name] + " would not leave it out"
		}
	case outcome != scope.Match:
		g.Class = stepClass(outcome)
	}
	return g
}

// Label reads a trail aloud.
func (t Trail) Label() string {
	parts := make([]string, len(t))
	for i, g := range t {
		parts[i] = g.Label
	}
	return strings.Join(parts, "; ")
}

package scope

import (
	"context"
	"slices"
)

// Trace is what all layers of one policy said about one request.
type Trace struct {
	Policy    *Policy
	Outcome   Outcome
	DecidedBy LayerName
	Effect    Effect

	input *Input
	steps []Step
	// shared says that steps belongs to the Set and must be copied before it is written.
	shared bool
}

// Steps returns what each layer of the policy said, in the order of Policy.Layers. It
// asks the layers that were not needed for the outcome, because fixing only the first
// exclusion is the usual trap.
func (t *Trace) Steps(ctx context.Context) []Step {
	t.own()
	q := t.question()
	for i, layer := range t.Policy.Layers {
		if t.steps[i].Outcome == "" {
			t.steps[i] = layer.Decide(ctx, q)
		}
		q.follow(t.steps[i])
	}
	return t.steps
}

// own gives the trace steps of its own to write to.
func (t *Trace) own() {
	if t.shared {
		t.steps, t.shared = slices.Clone(t.steps), false
	}
}

// Reasons returns the reasons of one layer's step.
func (t *Trace) Reasons(ctx context.Context, layer int) []Reason {
	steps := t.Steps(ctx)
	q := t.question()
	for i := range steps[:layer+1] {
		q.follow(steps[i])
	}
	return t.Policy.Layers[layer].Explain(ctx, q, steps[layer])
}

// Missing returns the facts that an unknown outcome depends on.
func (t *Trace) Missing() []Missing {
	if t.Outcome != Unknown {
		return nil
	}
	var missing []Missing
	seen := map[Missing]bool{}
	for _, step := range t.steps {
		for _, m := range step.Missing {
			if !seen[m] {
				seen[m] = true
				missing = append(missing, m)
			}
		}
	}
	return missing
}

func (t *Trace) question() Question {
	return Question{Input: t.input, Matched: Matched{Resource: t.input.Request.Resource, Kind: t.input.Request.Kind}}
}

// follow takes over the version that the resource rules matched.
func (q *Question) follow(step Step) {
	if step.Matched != nil {
		q.Matched = *step.Matched
	}
}

// run asks the layers one after the other. It stops asking once the request is known to
// be excluded: Steps asks the rest when somebody wants to see them. Steps that are
// already filled in are taken as they are.
func (t *Trace) run(ctx context.Context) {
	q := t.question()
	for i, layer := range t.Policy.Layers {
		if t.steps[i].Outcome == "" {
			if layer.Name().AreConditions() && LeftOut(t.steps[:i]) {
				break
			}
			t.steps[i] = layer.Decide(ctx, q)
		}
		q.follow(t.steps[i])
	}
	t.combine()
}

// combine turns the steps into the outcome.
func (t *Trace) combine() {
	e := t.Policy.Combine(t.steps, t.input.Request)
	t.Outcome, t.DecidedBy, t.Effect = e.Outcome, e.DecidedBy, e.Effect
}

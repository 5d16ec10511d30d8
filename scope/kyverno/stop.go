package kyverno

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// Stop is one layer of the webhooks that a policy rides on.
type Stop struct {
	ride *ride
	leg  leg
}

// Name implements scope.Layer.
func (l *Stop) Name() scope.LayerName { return names[l.leg] }

// Written returns the layers of this sort in the webhooks that a request for the policy may follow, in the order of
// their configurations; each looks like the same layer of a webhook that is a policy of its own.
func (l *Stop) Written() []scope.Layer {
	var all []scope.Layer
	for _, a := range l.ride.alternatives {
		for _, e := range a.entries {
			all = append(all, e.layers[l.leg])
		}
	}
	return all
}

// Decide implements scope.Layer.
func (l *Stop) Decide(ctx context.Context, q scope.Question) scope.Step {
	if l.ride.none() {
		// What no webhook serves ends at webhook.entry. There is nothing more to say about it.
		return scope.Step{Outcome: scope.Match, Aside: true}
	}
	step := l.decide(ctx, q)
	if missing := l.uncertain(q, step); missing != nil {
		step.Outcome, step.Missing, step.Err = scope.Open, append(step.Missing, *missing), nil
	}
	return step
}

func (l *Stop) decide(ctx context.Context, q scope.Question) scope.Step {
	if l.onResource() {
		return l.byResource(ctx, q)
	}
	all := l.ride.follow(ctx, q)
	steps := make([]scope.Step, len(all))
	for i, f := range all {
		steps[i] = f.entry.layers[l.leg].Decide(ctx, f.question)
	}
	other := func(s scope.Step) bool { return s.Outcome != steps[0].Outcome }
	if len(all) == 1 || agree(all) || !slices.ContainsFunc(steps, other) {
		return steps[0]
	}
	return scope.Step{Outcome: scope.Open, Stage: steps[0].Stage, Missing: []scope.Missing{l.ride.order()}, Detail: disputed(steps)}
}

// disputed is the note of a layer about which the alternatives disagree: what each of them says.
type disputed []scope.Step

// order is the fact that decides between alternatives.
func (r *ride) order() scope.Missing {
	fact := "which policy Kyverno met last when it wrote the webhook"
	for i, a := range r.alternatives {
		switch i {
		case 0:
			fact += ": " + a.last
		default:
			fact += ", or " + a.last
		}
	}
	return scope.Missing{Path: "webhooks", Fact: fact}
}

// onResource reports whether the layer is one of those that look at nothing but the resource, in all webhooks.
func (l *Stop) onResource() bool { return l.leg == exemption || l.leg == rules }

// byResource decides by the first webhook that lets the request through, best in the version in which it was sent: the
// rules of all webhooks together say which resources Kyverno is called for.
func (l *Stop) byResource(ctx context.Context, q scope.Question) scope.Step {
	var first, best scope.Step
	for i, e := range l.ride.alternatives[0].entries {
		step := e.layers[l.leg].Decide(ctx, q)
		step.Detail = of{e, step}
		if i == 0 {
			first = step
		}
		asSent := step.Matched == nil || step.Matched.Resource == q.Request.Resource
		if step.Outcome == scope.Match && (best.Outcome == "" || asSent) {
			best = step
			if asSent {
				break
			}
		}
	}
	if best.Outcome == "" {
		return first
	}
	return best
}

// of is the note of a layer that looks at resources: the webhook that decided, and its step.
type of struct {
	entry *entry
	step  scope.Step
}

// uncertain is why a step of a predicted webhook is not known; nil if it is. What a ConfigMap adds can only narrow,
// except that its labels replace those of the policy.
func (l *Stop) uncertain(q scope.Question, step scope.Step) *scope.Missing {
	passes := step.Outcome == scope.Match
	switch l.leg {
	case rules:
		if step.Outcome == scope.NoMatch {
			return l.ride.rulesOpen
		}
	case namespaceSelector:
		inNamespace := q.Request.Namespace != "" || q.Request.Resource.Resource == "namespaces"
		if inNamespace && (passes || l.byLabel(step, func(e *entry) *metav1.LabelSelector { return e.NamespaceSelector })) {
			return l.ride.selectorsOpen
		}
	case objectSelector:
		if passes || l.byLabel(step, func(e *entry) *metav1.LabelSelector { return e.ObjectSelector }) {
			return l.ride.selectorsOpen
		}
	case conditions:
		if passes {
			return l.ride.conditionsOpen
		}
	}
	return nil
}

// byLabel reports whether a "no" may come from a label that the ConfigMap would replace.
func (l *Stop) byLabel(step scope.Step, selector func(*entry) *metav1.LabelSelector) bool {
	return step.Outcome == scope.NoMatch && l.ride.some(func(e *entry) bool {
		return !e.observed && len(selector(e).MatchLabels) > 0
	})
}

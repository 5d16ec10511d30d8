package kyverno

import (
	"context"
	"fmt"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Served is the layer that asks whether any webhook serves the policy.
type Served struct {
	ride   *ride
	report *Report
}

// Name implements scope.Layer.
func (l *Served) Name() scope.LayerName { return scope.WebhookEntry }

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Served) ReadsOnlyResource() bool { return true }

// Key implements scope.Keyed.
func (l *Served) Key() string { return fmt.Sprint("served ", l.ride.none(), " ", l.ride.open != nil) }

// Decide implements scope.Layer.
func (l *Served) Decide(context.Context, scope.Question) scope.Step {
	switch {
	case l.ride.open != nil:
		return scope.Step{Outcome: scope.Open, Missing: []scope.Missing{*l.ride.open}}
	case l.ride.none():
		return scope.Step{Outcome: scope.NoMatch}
	}
	return scope.Step{Outcome: scope.Match}
}

const serves = "a webhook that serves the policy"

// Explain implements scope.Layer.
func (l *Served) Explain(_ context.Context, _ scope.Question, step scope.Step) []scope.Reason {
	var reasons []scope.Reason
	if l.ride.open != nil {
		reasons = append(reasons, l.ride.open.Reason())
	}
	if l.ride.none() {
		return append(reasons, scope.Reason{Want: serves, Got: "none", Outcome: step.Outcome, Message: l.ride.why})
	}
	for _, e := range l.ride.alternatives[0].entries {
		reasons = append(reasons, scope.Reason{
			Field: e.Field, Want: serves, Got: e.Name, Path: e.configuration, Outcome: step.Outcome, Message: e.words(),
		})
	}
	return reasons
}

// words says where the entry comes from.
func (e *entry) words() string {
	text := "Predicted: the cluster does not have " + e.configuration + "."
	if e.observed {
		text = "The cluster has it."
	}
	if path := e.path(); path != "" {
		text += " It calls Kyverno at " + strings.TrimSpace(path) + "."
	}
	return text
}

// Without is why no webhook serves the policy, in a sentence; empty if one does. Open is the fact without which neither
// is known; nil if it is.
func (l *Served) Without() (why string, open *scope.Missing) { return l.ride.why, l.ride.open }

// Webhooks are the names of the webhooks that serve the policy, in the order in which they are looked at.
func (l *Served) Webhooks() []string {
	var all []string
	if !l.ride.none() {
		for _, e := range l.ride.alternatives[0].entries {
			all = append(all, e.Name)
		}
	}
	return all
}

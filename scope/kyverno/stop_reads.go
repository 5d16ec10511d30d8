package kyverno

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Explain implements scope.Layer.
func (l *Stop) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if step.Aside {
		return nil
	}
	var reasons []scope.Reason
	switch note := step.Detail.(type) {
	case of:
		reasons = note.entry.layers[l.leg].Explain(ctx, q, note.step)
	case disputed:
		for i, f := range l.ride.follow(ctx, q) {
			for _, reason := range f.entry.layers[l.leg].Explain(ctx, f.question, note[i]) {
				last := fmt.Sprintf("If %s was the last that Kyverno met.", l.ride.alternatives[i].last)
				reason.Message = strings.TrimSpace(last + " " + reason.Message)
				reasons = append(reasons, reason)
			}
		}
	default:
		f := l.ride.follow(ctx, q)[0]
		reasons = f.entry.layers[l.leg].Explain(ctx, f.question, step)
	}
	if step.Outcome == scope.Open {
		for _, m := range step.Missing {
			if slices.Contains(l.ride.unknown(), m) {
				reasons = append(reasons, m.Reason())
			}
		}
	}
	return reasons
}

// unknown are the facts that are missing about the webhooks themselves.
func (r *ride) unknown() []scope.Missing {
	all := []scope.Missing{r.order()}
	for _, m := range []*scope.Missing{r.selectorsOpen, r.rulesOpen, r.conditionsOpen} {
		if m != nil {
			all = append(all, *m)
		}
	}
	return all
}

// Reads implements scope.Reader. Where there is something to choose, all that may decide the choice is read.
func (l *Stop) Reads(q scope.Question) scope.Reads {
	if l.ride.none() || l.onResource() {
		return scope.Reads{}
	}
	ctx := context.Background()
	if l.ride.simple() {
		f := l.ride.follow(ctx, q)[0]
		return scope.ReadsOf(f.entry.layers[l.leg], f.question)
	}
	var all []scope.Reads
	for _, a := range l.ride.alternatives {
		for _, f := range a.candidates(ctx, q) {
			for _, layer := range f.entry.layers[namespaceSelector:] {
				all = append(all, scope.ReadsOf(layer, f.question))
			}
		}
	}
	reads := scope.JoinReads(all...)
	reads.AnyResource = false
	return reads
}

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Stop) ReadsOnlyResource() bool {
	if l.ride.none() || l.onResource() {
		return true
	}
	for _, a := range l.ride.alternatives {
		for _, e := range a.entries {
			for _, layer := range e.layers[namespaceSelector:] {
				if fixed, ok := layer.(scope.ResourceLayer); l.ride.simple() && layer.Name() != e.layers[l.leg].Name() {
					continue
				} else if !ok || !fixed.ReadsOnlyResource() {
					return false
				}
			}
		}
	}
	return true
}

// Key implements scope.Keyed.
func (l *Stop) Key() string {
	if l.ride.none() {
		return "none"
	}
	r := l.ride
	key := fmt.Sprint(l.leg, " ", r.selectorsOpen != nil, " ", r.rulesOpen != nil, " ", r.conditionsOpen != nil)
	if !l.ride.simple() && !l.onResource() {
		return ""
	}
	for _, layer := range l.Written() {
		one, ok := layer.(scope.Keyed)
		if !ok || one.Key() == "" {
			return ""
		}
		key += " " + one.Key()
	}
	return key
}

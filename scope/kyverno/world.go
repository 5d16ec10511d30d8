package kyverno

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// world is the webhooks by which Kyverno is called: those of the cluster where it has their configuration, and the
// predicted ones where it has not.
type world struct {
	c         *Compiler
	predicted *webhooks.Prediction
	observed  Observed
	// byEntry are the predicted webhooks as entries, and seen those of the cluster.
	byEntry map[*webhooks.Entry]*entry
	seen    []*entry
	// mutating tells the seen entries of the mutating configuration from the others.
	mutating map[*entry]bool
}

func (c *Compiler) newWorld(predicted *webhooks.Prediction, observed Observed) *world {
	w := &world{c: c, predicted: predicted, observed: observed, byEntry: map[*webhooks.Entry]*entry{}, mutating: map[*entry]bool{}}
	half := map[bool][]webhook.Entry{false: predictedValidating(predicted), true: predictedMutating(predicted)}
	for _, e := range predicted.Entries {
		w.byEntry[e] = c.newEntry(half[e.Mutating][0], nameOf(e.Mutating), false)
		half[e.Mutating] = half[e.Mutating][1:]
	}
	if observed.Validating != nil {
		for _, e := range webhook.Validating(observed.Validating) {
			w.seen = append(w.seen, c.newEntry(e, webhooks.ValidatingName, true))
		}
	}
	if observed.Mutating != nil {
		for _, e := range webhook.Mutating(observed.Mutating) {
			one := c.newEntry(e, webhooks.MutatingName, true)
			w.seen, w.mutating[one] = append(w.seen, one), true
		}
	}
	return w
}

// predictedValidating are the predicted webhooks as an API server would store them.
func predictedValidating(p *webhooks.Prediction) []webhook.Entry {
	stored := p.Validating.DeepCopy()
	webhook.DefaultValidating(stored)
	return webhook.Validating(stored)
}

func predictedMutating(p *webhooks.Prediction) []webhook.Entry {
	stored := p.Mutating.DeepCopy()
	webhook.DefaultMutating(stored)
	return webhook.Mutating(stored)
}

// nameOf is the name of a configuration.
func nameOf(mutating bool) string {
	if mutating {
		return webhooks.MutatingName
	}
	return webhooks.ValidatingName
}

// has reports whether the cluster has a configuration.
func (o Observed) has(mutating bool) bool {
	if mutating {
		return o.Mutating != nil
	}
	return o.Validating != nil
}

// serving returns the webhooks that serve a policy, in the order of their configurations; those with the policy's own
// failure policy come first, for they carry its rules.
func (w *world) serving(r webhooks.Ref, failurePolicy v1.FailurePolicyType) *ride {
	predicted := w.predicted.Serving(r)
	var fixed []*entry
	for _, e := range w.seen {
		if w.names(e, r, predicted) {
			fixed = append(fixed, e)
		}
	}
	fixed = pinnedTo(fixed, r)
	var calls [][]*webhooks.Order
	for _, e := range predicted {
		if w.observed.has(e.Mutating) {
			continue
		}
		orders := w.orders(e, r)
		if len(orders) == 0 {
			fixed = append(fixed, w.byEntry[e])
		} else if !slices.ContainsFunc(calls, func(known []*webhooks.Order) bool { return known[0] == orders[0] }) {
			calls = append(calls, orders)
		}
	}
	all := []alternative{{entries: fixed}}
	for _, orders := range calls {
		all = w.multiply(all, orders, r)
	}
	for i := range all {
		slices.SortStableFunc(all[i].entries, func(a, b *entry) int {
			ignore := failurePolicy == v1.Ignore
			return compareBool(a.ignores() != ignore, b.ignores() != ignore)
		})
	}
	return &ride{alternatives: all}
}

// compareBool sorts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// names reports whether a webhook of the cluster serves a policy. The path says so for policies that are written in
// CEL; that of the others is the one that is predicted for them.
func (w *world) names(e *entry, r webhooks.Ref, predicted []*webhooks.Entry) bool {
	if webhooks.Names(e.path(), w.mutating[e], r, w.c.release) {
		return true
	}
	return slices.ContainsFunc(predicted, func(p *webhooks.Entry) bool {
		return isLegacy(r.Kind) && p.Mutating == w.mutating[e] && p.Path == e.path()
	})
}

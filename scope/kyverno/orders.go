package kyverno

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// orders are the outcomes that a predicted webhook is a part of, as far as they are about the policy.
func (w *world) orders(e *webhooks.Entry, r webhooks.Ref) []*webhooks.Order {
	if e.FineGrained {
		return nil
	}
	var all []*webhooks.Order
	for _, o := range w.predicted.Orders {
		about := func(e *webhooks.Entry) bool { return slices.Contains(e.Members, r) }
		if o.Base == e.Base && o.Mutating == e.Mutating && slices.ContainsFunc(o.Entries, about) {
			all = append(all, o)
		}
	}
	return all
}

// multiply makes an alternative of each that there is so far with each outcome.
func (w *world) multiply(all []alternative, orders []*webhooks.Order, r webhooks.Ref) []alternative {
	var product []alternative
	for _, a := range all {
		for _, o := range orders {
			next := alternative{last: a.last, entries: slices.Clone(a.entries)}
			if next.last != "" {
				next.last += ", and "
			}
			next.last += winners(o.Winners)
			for _, e := range o.Entries {
				if slices.Contains(e.Members, r) {
					next.entries = append(next.entries, w.under(e))
				}
			}
			product = append(product, next)
		}
	}
	return product
}

// under makes an entry of a webhook under one order: the predicted one with other selectors.
func (w *world) under(e *webhooks.Entry) *entry {
	if known := w.byEntry[e]; known != nil {
		return known
	}
	i := slices.IndexFunc(w.predicted.Entries, func(p *webhooks.Entry) bool {
		return p.Name == e.Name && p.Path == e.Path && p.Mutating == e.Mutating
	})
	stored := w.byEntry[w.predicted.Entries[i]].Entry
	stored.NamespaceSelector, stored.ObjectSelector = e.NamespaceSelector, e.ObjectSelector
	webhook.Set(&stored.NamespaceSelector, metav1.LabelSelector{})
	webhook.Set(&stored.ObjectSelector, metav1.LabelSelector{})
	w.byEntry[e] = w.c.newEntry(stored, nameOf(e.Mutating), false)
	return w.byEntry[e]
}

// winners writes policies of which one was met last.
func winners(refs []webhooks.Ref) string {
	text := ""
	for i, r := range refs {
		if i > 0 {
			text += " or "
		}
		text += r.String()
	}
	return text
}

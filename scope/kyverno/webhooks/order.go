package webhooks

import (
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// shared makes the two webhooks that all policies of a call shared before release 1.19. Their selectors are those of
// the policy that was written last, and so there are as many outcomes as there are different pairs of selectors.
func (b *builder) shared(c call, policies []*api.Policy) {
	if len(policies) == 0 {
		return
	}
	byKey := map[string]*Order{}
	var orders []*Order
	for _, p := range policies {
		s := b.selectorsOf(p)
		o := byKey[s.key()]
		if o == nil {
			o = &Order{Base: c.base, Mutating: c.mutating, pair: s}
			byKey[s.key()] = o
			orders = append(orders, o)
		}
		o.Winners = append(o.Winners, RefOf(p))
	}
	entries := b.pairOf(&group{call: c, pair: orders[0].pair, policies: policies})
	b.entries = append(b.entries, entries...)
	if len(orders) < 2 {
		return
	}
	for _, o := range orders {
		for _, e := range entries {
			e := *e
			e.NamespaceSelector, e.ObjectSelector = o.namespace, o.object
			o.Entries = append(o.Entries, &e)
		}
		o.Silent, o.Narrowed = b.losers(o, policies)
		b.orders = append(b.orders, o)
	}
}

// losers are the policies that requests do not reach which they are for: none of them, or some.
func (b *builder) losers(o *Order, policies []*api.Policy) (silent, narrowed []Ref) {
	called := o.extents()
	for _, p := range policies {
		wanted := b.wanted(p)
		switch {
		case !b.aboutSome(p, wanted):
			// It reaches nothing under any order, which is said elsewhere.
		case !b.aboutSome(p, wanted.And(called)):
			silent = append(silent, RefOf(p))
		case !within(wanted, called):
			narrowed = append(narrowed, RefOf(p))
		}
	}
	return silent, narrowed
}

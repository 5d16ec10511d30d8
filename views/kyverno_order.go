package views

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// KyvernoOrder is one of the outcomes among which chance decides, before release 1.19.
type KyvernoOrder struct {
	Base                      string
	Namespaces, Objects       []Chip
	Winners, Silent, Narrowed []KyvernoPolicy
	// Now says that the cluster's webhooks have the selectors of this outcome.
	Now bool
}

func newKyvernoOrders(r *kyverno.Report) []KyvernoOrder {
	var all []KyvernoOrder
	for _, o := range r.Predicted.Orders {
		v := KyvernoOrder{
			Base: o.Base, Now: IsNow(r, o), Winners: kyvernoPolicies(o.Winners), Silent: kyvernoPolicies(o.Silent), Narrowed: kyvernoPolicies(o.Narrowed),
		}
		if len(o.Entries) > 0 {
			v.Namespaces, v.Objects = chipsOf(o.Entries[0].NamespaceSelector), chipsOf(o.Entries[0].ObjectSelector)
		}
		all = append(all, v)
	}
	return all
}

// IsNow reports whether the cluster's webhooks have the selectors of an outcome.
func IsNow(r *kyverno.Report, o *webhooks.Order) bool {
	return slices.ContainsFunc(o.Entries, func(e *webhooks.Entry) bool { return isObserved(r.Observed, e) })
}

// isObserved reports whether the cluster has an entry of this name with these selectors.
func isObserved(o kyverno.Observed, e *webhooks.Entry) bool {
	has, ok := observedEntry(o, e.Mutating, e.Name)
	return ok && slices.Equal(chipsOf(has.NamespaceSelector), chipsOf(e.NamespaceSelector)) &&
		slices.Equal(chipsOf(has.ObjectSelector), chipsOf(e.ObjectSelector))
}

package server

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/views"
)

// apiOrder is one of the outcomes among which chance decides, before release 1.19: the selectors of the policy that the
// controller met last stand on webhooks that others share.
type apiOrder struct {
	Configuration string `json:"configuration"`
	// Entries are the names of the webhooks that get these selectors.
	Entries           []string              `json:"entries"`
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	ObjectSelector    *metav1.LabelSelector `json:"objectSelector,omitempty"`
	// Now says that the cluster's webhooks have these selectors.
	Now bool `json:"now"`
	// Winners are the policies with these selectors, one of which was met last.
	Winners []webhooks.Ref `json:"winners"`
	// Silent are the policies that are overwritten, and Narrowed those that are in part.
	Silent   []webhooks.Ref `json:"silent"`
	Narrowed []webhooks.Ref `json:"narrowed"`
}

func apiOrders(r *kyverno.Report) []apiOrder {
	all := make([]apiOrder, 0, len(r.Predicted.Orders))
	for _, o := range r.Predicted.Orders {
		v := apiOrder{Configuration: configurationOf(o.Mutating), Now: views.IsNow(r, o)}
		for _, e := range o.Entries {
			v.Entries = append(v.Entries, e.Name)
			v.NamespaceSelector, v.ObjectSelector = e.NamespaceSelector, e.ObjectSelector
		}
		v.Winners = append([]webhooks.Ref{}, o.Winners...)
		v.Silent = append([]webhooks.Ref{}, o.Silent...)
		v.Narrowed = append([]webhooks.Ref{}, o.Narrowed...)
		all = append(all, v)
	}
	return all
}

// configurationOf is the name of the configuration in which entries stand.
func configurationOf(mutating bool) string {
	if mutating {
		return webhooks.MutatingName
	}
	return webhooks.ValidatingName
}

package views

import (
	"net/url"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// FlowAnalysis is what is known about the FlowSchemas of a snapshot as a whole, worked out
// once for all pages.
type FlowAnalysis struct {
	Order *flow.Order
	// Reaches tells for every schema, in the order, whether requests come to it.
	Reaches []flow.Reach
}

// newFlowAnalysis analyses an order; nil stands for FlowSchemas that are not known.
func newFlowAnalysis(o *flow.Order) *FlowAnalysis {
	if o == nil {
		return nil
	}
	return &FlowAnalysis{Order: o, Reaches: o.Reaches()}
}

// reach is what is known about one schema of the order.
func (a *FlowAnalysis) reach(s *flow.Schema) flow.Reach {
	for i, known := range a.Order.Schemas {
		if known == s {
			return a.Reaches[i]
		}
	}
	return flow.Reach{Schema: s}
}

// schemaOf returns the FlowSchema that a policy is, or nil if it is none.
func schemaOf(p *scope.Policy) *flow.Schema {
	for _, l := range p.Layers {
		if precedence, ok := l.(*flow.Precedence); ok {
			return precedence.Schema
		}
	}
	return nil
}

// schemaHref is the address of the page of a FlowSchema.
func schemaHref(name string) string { return "/policies/FlowSchema/" + url.PathEscape(name) }

package kyverno

import (
	"context"
	"net/url"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// entry is one webhook that may bring a request to Kyverno for a policy.
type entry struct {
	webhook.Entry
	layers []scope.Layer
	// configuration is the name of the configuration, and observed says that the cluster has the entry.
	configuration string
	observed      bool
	// policy is the entry as a policy of its own: it combines what the layers say.
	policy *scope.Policy
}

func (c *Compiler) newEntry(e webhook.Entry, configuration string, observed bool) *entry {
	n := &entry{Entry: e, layers: e.Layers(c.conditions).List(), configuration: configuration, observed: observed}
	n.policy = &scope.Policy{Layers: n.layers, WhenIncluded: e.Called, WhenExcluded: scope.NotCalled}
	return n
}

// ignores reports whether the entry is one whose failures are ignored.
func (e *entry) ignores() bool { return e.FailurePolicy != nil && *e.FailurePolicy == v1.Ignore }

// path is the URL path at which the entry calls Kyverno. A Kyverno outside of the cluster (--serverIP) is called by a URL.
func (e *entry) path() string {
	switch {
	case e.Client.URL != nil:
		called, err := url.Parse(*e.Client.URL)
		if err != nil {
			return ""
		}
		return called.Path
	case e.Client.Service != nil && e.Client.Service.Path != nil:
		return *e.Client.Service.Path
	}
	return ""
}

// matched returns the question in the version that the entry's rules match, and whether they do.
func (e *entry) matched(ctx context.Context, q scope.Question) (scope.Question, bool) {
	step := e.layers[rules].Decide(ctx, q)
	if step.Matched != nil {
		q.Matched = *step.Matched
	}
	return q, step.Outcome == scope.Match
}

// end is what all layers of the entry together say to a request. The conditions are asked only if the others let it
// through.
func (e *entry) end(ctx context.Context, q scope.Question) scope.Ending {
	steps := make([]scope.Step, len(e.layers))
	for i, l := range e.layers {
		if leg(i) == conditions && scope.LeftOut(steps[:i]) {
			break
		}
		steps[i] = l.Decide(ctx, q)
	}
	return e.policy.Combine(steps, q.Request)
}

// leg is the place of a layer among those of an entry.
type leg int

const (
	exemption leg = iota
	rules
	namespaceSelector
	objectSelector
	conditions
	legs
)

// names are the names of the layers in a policy that rides on the entry.
var names = [legs]scope.LayerName{
	scope.WebhookExemption, scope.WebhookResourceRules, scope.WebhookNamespaceSelector, scope.WebhookObjectSelector,
	scope.WebhookMatchConditions,
}

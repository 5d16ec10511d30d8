package admission

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

func (c *Compiler) validatingWebhooks(written *v1.ValidatingWebhookConfiguration) []*scope.Policy {
	stored := written.DeepCopy()
	webhook.DefaultValidating(stored)
	policies := make([]*scope.Policy, len(stored.Webhooks))
	for i, e := range webhook.Validating(stored) {
		p := c.webhook(e)
		p.Kind, p.Name, p.Phase, p.Source = ValidatingWebhookConfiguration, stored.Name, scope.ValidatingWebhooks, written
		policies[i] = p
	}
	return policies
}

func (c *Compiler) mutatingWebhooks(written *v1.MutatingWebhookConfiguration) []*scope.Policy {
	stored := written.DeepCopy()
	webhook.DefaultMutating(stored)
	policies := make([]*scope.Policy, len(stored.Webhooks))
	for i, e := range webhook.Mutating(stored) {
		p := c.webhook(e)
		p.Kind, p.Name, p.Phase, p.Source = MutatingWebhookConfiguration, stored.Name, scope.MutatingWebhooks, written
		policies[i] = p
	}
	return policies
}

func (c *Compiler) webhook(e webhook.Entry) *scope.Policy {
	return &scope.Policy{
		Entry:         e.Name,
		Layers:        e.Layers(c.conditions).List(),
		WhenIncluded:  e.Called,
		WhenExcluded:  scope.NotCalled,
		FailurePolicy: string(*e.FailurePolicy),
	}
}

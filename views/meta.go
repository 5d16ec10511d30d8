package views

import (
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// webhookMeta says what else is worth knowing about a webhook: who answers it, how long
// it may take, and whether a dry run may call it.
func webhookMeta(p *scope.Policy) []string {
	meta := []string{fails(p.FailurePolicy)}
	var client *v1.WebhookClientConfig
	var effects *v1.SideEffectClass
	var timeout *int32
	switch source := p.Source.(type) {
	case *v1.ValidatingWebhookConfiguration:
		for i, w := range source.Webhooks {
			if w.Name == p.Entry {
				client, effects, timeout = &source.Webhooks[i].ClientConfig, w.SideEffects, w.TimeoutSeconds
			}
		}
	case *v1.MutatingWebhookConfiguration:
		for i, w := range source.Webhooks {
			if w.Name == p.Entry {
				client, effects, timeout = &source.Webhooks[i].ClientConfig, w.SideEffects, w.TimeoutSeconds
			}
		}
	}
	if client != nil && client.Service != nil {
		meta = append(meta, fmt.Sprintf("asks service %s in %s", client.Service.Name, client.Service.Namespace))
	} else if client != nil && client.URL != nil {
		meta = append(meta, "asks "+*client.URL)
	}
	if effects != nil {
		meta = append(meta, "side effects: "+string(*effects))
	}
	if timeout != nil {
		meta = append(meta, fmt.Sprintf("waits %d s", *timeout))
	}
	return meta
}

// bindingMeta says what follows from a binding when the policy says no.
func bindingMeta(p *scope.Policy) []string {
	b, ok := p.BindingSource.(*v1.ValidatingAdmissionPolicyBinding)
	if !ok || b == nil {
		return nil
	}
	var meta []string
	for _, a := range b.Spec.ValidationActions {
		switch a {
		case v1.Deny:
			meta = append(meta, "denies")
		case v1.Warn:
			meta = append(meta, "warns")
		case v1.Audit:
			meta = append(meta, "audits")
		}
	}
	return meta
}

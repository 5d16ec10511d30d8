package hazard

import (
	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// source is what hazards want to know of a policy that is no part of its scope: what is
// called, what is evaluated. It is empty for kinds of policy that have nothing of the sort.
type source struct {
	// client is where a webhook is called; nil for what is no webhook.
	client *v1.WebhookClientConfig
	// validating and mutating are the policy, if it is one of these.
	validating *v1.ValidatingAdmissionPolicySpec
	mutating   *v1.MutatingAdmissionPolicySpec
	paramKind  *v1.ParamKind
	paramRef   *v1.ParamRef
	// actions are those of a validating binding.
	actions []v1.ValidationAction
	// webhook is the entry with all that says what a call does, for comparison.
	webhook any
}

// ofServer reports whether the policy is of a kind that hazards know: one that the API server
// decides about itself, in admission, or one whose Kind says what its layers mean.
func (v *view) ofServer() bool {
	return v.isWebhook() || v.validating != nil || v.mutating != nil || v.BindingSource != nil || v.match != nil
}

func sourceOf(p *scope.Policy) source {
	var s source
	switch o := p.Source.(type) {
	case *v1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			if o.Webhooks[i].Name == p.Entry {
				s.client, s.webhook = &o.Webhooks[i].ClientConfig, o.Webhooks[i]
			}
		}
	case *v1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			if o.Webhooks[i].Name == p.Entry {
				s.client, s.webhook = &o.Webhooks[i].ClientConfig, o.Webhooks[i]
			}
		}
	case *v1.ValidatingAdmissionPolicy:
		s.validating, s.paramKind = &o.Spec, o.Spec.ParamKind
	case *v1.MutatingAdmissionPolicy:
		s.mutating, s.paramKind = &o.Spec, o.Spec.ParamKind
	}
	switch o := p.BindingSource.(type) {
	case *v1.ValidatingAdmissionPolicyBinding:
		s.paramRef, s.actions = o.Spec.ParamRef, o.Spec.ValidationActions
	case *v1.MutatingAdmissionPolicyBinding:
		s.paramRef = o.Spec.ParamRef
	}
	return s
}

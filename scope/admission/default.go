package admission

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The functions of this file fill in what the API server fills in when it stores an
// object (k8s.io/kubernetes/pkg/apis/admissionregistration/v1/defaults.go). Without them
// an omitted selector would match nothing instead of everything. They change their
// argument and may be called on an object that has its defaults already.

func set[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// DefaultValidatingWebhooks fills in the defaults of a ValidatingWebhookConfiguration.
func DefaultValidatingWebhooks(c *v1.ValidatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		defaultWebhook(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds, w.Rules)
		defaultClient(&w.ClientConfig)
	}
}

// DefaultMutatingWebhooks fills in the defaults of a MutatingWebhookConfiguration.
func DefaultMutatingWebhooks(c *v1.MutatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		defaultWebhook(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds, w.Rules)
		defaultClient(&w.ClientConfig)
		set(&w.ReinvocationPolicy, v1.NeverReinvocationPolicy)
	}
}

func defaultWebhook(failure **v1.FailurePolicyType, match **v1.MatchPolicyType, namespace, object **metav1.LabelSelector, timeout **int32, rules []v1.RuleWithOperations) {
	set(failure, v1.Fail)
	set(match, v1.Equivalent)
	set(namespace, metav1.LabelSelector{})
	set(object, metav1.LabelSelector{})
	set(timeout, 10)
	for i := range rules {
		set(&rules[i].Scope, v1.AllScopes)
	}
}

func defaultClient(c *v1.WebhookClientConfig) {
	if c.Service != nil {
		set(&c.Service.Port, 443)
	}
}

// DefaultValidatingPolicy fills in the defaults of a ValidatingAdmissionPolicy.
func DefaultValidatingPolicy(p *v1.ValidatingAdmissionPolicy) {
	set(&p.Spec.FailurePolicy, v1.Fail)
	defaultMatch(p.Spec.MatchConstraints)
}

// DefaultMutatingPolicy fills in the defaults of a MutatingAdmissionPolicy.
func DefaultMutatingPolicy(p *v1.MutatingAdmissionPolicy) {
	set(&p.Spec.FailurePolicy, v1.Fail)
	defaultMatch(p.Spec.MatchConstraints)
}

// DefaultValidatingBinding fills in the defaults of a ValidatingAdmissionPolicyBinding.
func DefaultValidatingBinding(b *v1.ValidatingAdmissionPolicyBinding) {
	defaultMatch(b.Spec.MatchResources)
}

// DefaultMutatingBinding fills in the defaults of a MutatingAdmissionPolicyBinding.
func DefaultMutatingBinding(b *v1.MutatingAdmissionPolicyBinding) {
	defaultMatch(b.Spec.MatchResources)
}

// defaultMatch leaves absent match resources absent: in a binding that means everything.
func defaultMatch(m *v1.MatchResources) {
	if m == nil {
		return
	}
	set(&m.MatchPolicy, v1.Equivalent)
	set(&m.NamespaceSelector, metav1.LabelSelector{})
	set(&m.ObjectSelector, metav1.LabelSelector{})
	for _, rules := range [][]v1.NamedRuleWithOperations{m.ResourceRules, m.ExcludeResourceRules} {
		for i := range rules {
			set(&rules[i].Scope, v1.AllScopes)
		}
	}
}

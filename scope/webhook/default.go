package webhook

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The functions of this file fill in what the API server fills in when it stores an object
// (k8s.io/kubernetes/pkg/apis/admissionregistration/v1/defaults.go). Without them an omitted selector would match
// nothing instead of everything. They change their argument and may be called on an object that has its defaults
// already.

// Set gives a field that is nil a value.
func Set[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// DefaultValidating fills in the defaults of a ValidatingWebhookConfiguration.
func DefaultValidating(c *v1.ValidatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		defaults(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds, w.Rules)
		defaultClient(&w.ClientConfig)
	}
}

// DefaultMutating fills in the defaults of a MutatingWebhookConfiguration.
func DefaultMutating(c *v1.MutatingWebhookConfiguration) {
	for i := range c.Webhooks {
		w := &c.Webhooks[i]
		defaults(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds, w.Rules)
		defaultClient(&w.ClientConfig)
		Set(&w.ReinvocationPolicy, v1.NeverReinvocationPolicy)
	}
}

func defaults(failure **v1.FailurePolicyType, match **v1.MatchPolicyType, namespace, object **metav1.LabelSelector,
	timeout **int32, rules []v1.RuleWithOperations,
) {
	Set(failure, v1.Fail)
	Set(match, v1.Equivalent)
	Set(namespace, metav1.LabelSelector{})
	Set(object, metav1.LabelSelector{})
	Set(timeout, 10)
	for i := range rules {
		Set(&rules[i].Scope, v1.AllScopes)
	}
}

func defaultClient(c *v1.WebhookClientConfig) {
	if c.Service != nil {
		Set(&c.Service.Port, 443)
	}
}

package kyverno

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fields are what of an entry is compared, in the names and the order of a configuration.
type fields struct {
	Path              string                     `json:"path,omitempty"`
	Rules             []v1.RuleWithOperations    `json:"rules,omitempty"`
	FailurePolicy     *v1.FailurePolicyType      `json:"failurePolicy,omitempty"`
	MatchPolicy       *v1.MatchPolicyType        `json:"matchPolicy,omitempty"`
	NamespaceSelector *metav1.LabelSelector      `json:"namespaceSelector,omitempty"`
	ObjectSelector    *metav1.LabelSelector      `json:"objectSelector,omitempty"`
	MatchConditions   []v1.MatchCondition        `json:"matchConditions,omitempty"`
	SideEffects       *v1.SideEffectClass        `json:"sideEffects,omitempty"`
	TimeoutSeconds    *int32                     `json:"timeoutSeconds,omitempty"`
	Reinvocation      *v1.ReinvocationPolicyType `json:"reinvocationPolicy,omitempty"`
}

func fieldsOf(e *entry) fields {
	return fields{
		e.path(), slices.Clone(e.Rules), e.FailurePolicy, e.MatchPolicy, e.NamespaceSelector, e.ObjectSelector,
		e.Entry.Conditions, e.SideEffects, e.TimeoutSeconds, e.Reinvocation,
	}
}

// field is one of them. Selects marks the selectors, which may have several values.
type field struct {
	name    string
	value   any
	selects bool
}

func (f fields) list() []field {
	return []field{
		{name: "clientConfig.service.path", value: f.Path},
		{name: "rules", value: f.Rules},
		{name: "failurePolicy", value: f.FailurePolicy},
		{name: "matchPolicy", value: f.MatchPolicy},
		{name: "namespaceSelector", value: f.NamespaceSelector, selects: true},
		{name: "objectSelector", value: f.ObjectSelector, selects: true},
		{name: "matchConditions", value: f.MatchConditions},
		{name: "sideEffects", value: f.SideEffects},
		{name: "timeoutSeconds", value: f.TimeoutSeconds},
		{name: "reinvocationPolicy", value: f.Reinvocation},
	}
}

package api

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ExceptionKind is the kind of exceptions in both groups.
const ExceptionKind Kind = "PolicyException"

// Exception exempts requests from policies that are written in CEL
// (github.com/kyverno/api/api/policies.kyverno.io/v1, PolicyExceptionSpec).
type Exception struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec ExceptionSpec `json:"spec"`

	// Written is the object that the exception was read from.
	Written *unstructured.Unstructured `json:"-"`
}

// ExceptionSpec says what is exempt from which policies.
type ExceptionSpec struct {
	PolicyRefs      []PolicyRef         `json:"policyRefs"`
	MatchConditions []v1.MatchCondition `json:"matchConditions"`
	// An exception with images or values exempts just these from the policy's checks, and not the request from the policy.
	Images        []string     `json:"images"`
	AllowedValues []string     `json:"allowedValues"`
	ExpiresAt     *metav1.Time `json:"expiresAt"`
}

// PolicyRef names a policy. Its namespace is not part of the name.
type PolicyRef struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// LegacyException exempts requests from rules of legacy policies
// (github.com/kyverno/kyverno/api/kyverno/v2, PolicyExceptionSpec).
type LegacyException struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec LegacyExceptionSpec `json:"spec"`

	// Written is the object that the exception was read from.
	Written *unstructured.Unstructured `json:"-"`
}

// LegacyExceptionSpec says what is exempt from which rules.
type LegacyExceptionSpec struct {
	Match      MatchResources   `json:"match"`
	Conditions any              `json:"conditions"`
	Exceptions []RuleRef        `json:"exceptions"`
	Security   []map[string]any `json:"podSecurity"`
}

// RuleRef names rules of a policy: the policy exactly, as namespace/name if it is namespaced, the rules with wildcards.
type RuleRef struct {
	PolicyName string   `json:"policyName"`
	RuleNames  []string `json:"ruleNames"`
}

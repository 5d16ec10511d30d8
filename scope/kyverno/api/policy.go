package api

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Group is the API group of the policies that are written in CEL.
const Group = "policies.kyverno.io"

// Kind is the kind of a policy.
type Kind string

// The kinds of policies of the group policies.kyverno.io that take part in admission. The namespaced ones have the same
// fields (github.com/kyverno/api/api/policies.kyverno.io/v1).
const (
	ValidatingPolicy                Kind = "ValidatingPolicy"
	NamespacedValidatingPolicy      Kind = "NamespacedValidatingPolicy"
	MutatingPolicy                  Kind = "MutatingPolicy"
	NamespacedMutatingPolicy        Kind = "NamespacedMutatingPolicy"
	GeneratingPolicy                Kind = "GeneratingPolicy"
	NamespacedGeneratingPolicy      Kind = "NamespacedGeneratingPolicy"
	ImageValidatingPolicy           Kind = "ImageValidatingPolicy"
	NamespacedImageValidatingPolicy Kind = "NamespacedImageValidatingPolicy"
)

// Policy is a policy of the group policies.kyverno.io. All served versions have these fields.
type Policy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   PolicySpec   `json:"spec"`
	Status PolicyStatus `json:"status"`

	// Written is the object that the policy was read from.
	Written *unstructured.Unstructured `json:"-"`
}

// PolicySpec is what policies of all these kinds say; a kind that has no such field leaves it empty.
type PolicySpec struct {
	// MatchConstraints is nil if it is not written: such a policy never matches a request.
	MatchConstraints *v1.MatchResources        `json:"matchConstraints"`
	MatchConditions  []v1.MatchCondition       `json:"matchConditions"`
	Variables        []v1.Variable             `json:"variables"`
	FailurePolicy    *v1.FailurePolicyType     `json:"failurePolicy"`
	Webhook          *WebhookConfiguration     `json:"webhookConfiguration"`
	Evaluation       *Evaluation               `json:"evaluation"`
	Autogen          *Autogen                  `json:"autogen"`
	Actions          []v1.ValidationAction     `json:"validationActions"`
	Images           *ValidationConfigurations `json:"validationConfigurations"`
	// Targets are the objects that a MutatingPolicy changes instead of the one in the request; a policy that has them
	// takes no part in admission, except that a request for a trigger starts it.
	Targets *v1.MatchResources `json:"targetMatchConstraints"`
}

// WebhookConfiguration is what a policy asks of its webhook.
type WebhookConfiguration struct {
	TimeoutSeconds *int32 `json:"timeoutSeconds"`
}

// Evaluation says where a policy is evaluated.
type Evaluation struct {
	// Mode is Kubernetes, JSON, or empty for Kubernetes.
	Mode                   string  `json:"mode"`
	Admission              *Switch `json:"admission"`
	Background             *Switch `json:"background"`
	Synchronize            *Switch `json:"synchronize"`
	MutateExisting         *Switch `json:"mutateExisting"`
	SkipBackgroundRequests *bool   `json:"skipBackgroundRequests"`
}

// Switch is something that can be on or off, or is left to its default.
type Switch struct {
	Enabled *bool `json:"enabled"`
}

// On reports whether the switch is on, with what holds where it is not written.
func (s *Switch) On(otherwise bool) bool {
	if s == nil || s.Enabled == nil {
		return otherwise
	}
	return *s.Enabled
}

// Autogen says which policies are derived from a policy.
type Autogen struct {
	PodControllers            *PodControllers `json:"podControllers"`
	ValidatingAdmissionPolicy *Switch         `json:"validatingAdmissionPolicy"`
	MutatingAdmissionPolicy   *Switch         `json:"mutatingAdmissionPolicy"`
}

// PodControllers lists the controllers that a policy for Pods is extended to: nil is all of them, empty is none.
type PodControllers struct {
	Controllers []string `json:"controllers"`
}

// ValidationConfigurations is what an ImageValidatingPolicy does beside validating.
type ValidationConfigurations struct {
	MutateDigest *bool `json:"mutateDigest"`
}

// PolicyStatus is what Kyverno wrote about a policy.
type PolicyStatus struct {
	// Generated says that Kyverno wrote a ValidatingAdmissionPolicy or MutatingAdmissionPolicy in its place, and serves it
	// by no webhook.
	Generated bool `json:"generated"`
}

// Admits reports whether the policy is evaluated in admission.
func (p *Policy) Admits() bool {
	return p.Spec.Evaluation == nil || p.Spec.Evaluation.Admission.On(true)
}

// Namespaced reports whether policies of the kind live in a namespace and are about it alone.
func (k Kind) Namespaced() bool {
	switch k {
	case NamespacedValidatingPolicy, NamespacedMutatingPolicy, NamespacedGeneratingPolicy,
		NamespacedImageValidatingPolicy, LegacyPolicy:
		return true
	}
	return false
}

// PolicyKind is the policy's kind.
func (p *Policy) PolicyKind() Kind { return Kind(p.Kind) }

// Match is what the policy matches; nothing if that is not written, as in GetMatchConstraints of
// github.com/kyverno/api/api/policies.kyverno.io/v1beta1.
func (p *Policy) Match() v1.MatchResources {
	if p.Spec.MatchConstraints == nil {
		return v1.MatchResources{}
	}
	return *p.Spec.MatchConstraints
}

// Timeout is the time in seconds that the policy asks for its webhook; nil if it does not.
func (p *Policy) Timeout() *int32 {
	if p.Spec.Webhook == nil {
		return nil
	}
	return p.Spec.Webhook.TimeoutSeconds
}

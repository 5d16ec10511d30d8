package api

import (
	v1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// LegacyGroup is the API group of ClusterPolicy and Policy.
const LegacyGroup = "kyverno.io"

// The kinds of policies of the group kyverno.io.
const (
	ClusterPolicy Kind = "ClusterPolicy"
	LegacyPolicy  Kind = "Policy"
)

// Legacy is a ClusterPolicy or a Policy (github.com/kyverno/kyverno/api/kyverno/v1, Spec).
type Legacy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec   LegacySpec   `json:"spec"`
	Status LegacyStatus `json:"status"`

	// Written is the object that the policy was read from.
	Written *unstructured.Unstructured `json:"-"`
}

// LegacySpec is what a legacy policy says about its scope and its webhook.
type LegacySpec struct {
	Rules     []Rule `json:"rules"`
	Admission *bool  `json:"admission"`
	// FailurePolicy is the older place of webhookConfiguration.failurePolicy.
	FailurePolicy         *v1.FailurePolicyType `json:"failurePolicy"`
	WebhookTimeoutSeconds *int32                `json:"webhookTimeoutSeconds"`
	Webhook               *LegacyWebhook        `json:"webhookConfiguration"`
	FailureAction         string                `json:"validationFailureAction"`
	Generate              bool                  `json:"generateExisting"`
}

// LegacyWebhook is what a legacy policy asks of its webhook.
type LegacyWebhook struct {
	FailurePolicy   *v1.FailurePolicyType `json:"failurePolicy"`
	TimeoutSeconds  *int32                `json:"timeoutSeconds"`
	MatchConditions []v1.MatchCondition   `json:"matchConditions"`
}

// LegacyStatus is what Kyverno wrote about a legacy policy.
type LegacyStatus struct {
	ValidatingAdmissionPolicy struct {
		Generated bool `json:"generated"`
	} `json:"validatingadmissionpolicy"`
}

// Rule is a rule of a legacy policy. What it does is kept as written, because only its sort decides scope.
type Rule struct {
	Name             string              `json:"name"`
	Match            MatchResources      `json:"match"`
	Exclude          *MatchResources     `json:"exclude"`
	Preconditions    any                 `json:"preconditions"`
	CELPreconditions []v1.MatchCondition `json:"celPreconditions"`
	Mutate           map[string]any      `json:"mutate"`
	Validate         map[string]any      `json:"validate"`
	Generate         map[string]any      `json:"generate"`
	VerifyImages     []map[string]any    `json:"verifyImages"`
}

// MatchResources is a match or exclude block: any, or else all, or else the block itself.
type MatchResources struct {
	Any            []ResourceFilter `json:"any"`
	All            []ResourceFilter `json:"all"`
	ResourceFilter `json:",inline"`
}

// ResourceFilter is one set of conditions, all of which must hold.
type ResourceFilter struct {
	Resources    ResourceDescription `json:"resources"`
	Roles        []string            `json:"roles"`
	ClusterRoles []string            `json:"clusterRoles"`
	Subjects     []rbacv1.Subject    `json:"subjects"`
}

// ResourceDescription says which objects a filter is about.
type ResourceDescription struct {
	Kinds             []string              `json:"kinds"`
	Name              string                `json:"name"`
	Names             []string              `json:"names"`
	Namespaces        []string              `json:"namespaces"`
	Annotations       map[string]string     `json:"annotations"`
	Selector          *metav1.LabelSelector `json:"selector"`
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector"`
	Operations        []v1.OperationType    `json:"operations"`
}

package legacy

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Input is what the webhooks of legacy policies follow from.
type Input struct {
	// Policies are in the order in which Kyverno's controller meets them; only the order of fine-grained webhooks
	// depends on it.
	Policies []*api.Legacy
	// Config is what the ConfigMap says; nil stands for no ConfigMap.
	Config  *config.Config
	Flags   config.Flags
	Release release.Release
	// Resources are those that the cluster serves; nil if they are not known.
	Resources *resource.Set
}

// Webhook is one webhook for legacy policies: for all of a failure policy, or for one alone. Kyverno always asks for
// matchPolicy Equivalent, and in the mutating configuration for reinvocationPolicy IfNeeded.
type Webhook struct {
	Mutating bool
	// Base is the name that all webhooks of one configuration for legacy policies begin with.
	Base, Name, Path string
	// FineGrained says that the webhook serves one policy alone.
	FineGrained   bool
	FailurePolicy v1.FailurePolicyType
	// NamespaceSelector may be nil, ObjectSelector is not. Both are those of the ConfigMap: the policies have no say.
	NamespaceSelector, ObjectSelector *metav1.LabelSelector
	Rules                             []v1.RuleWithOperations
	MatchConditions                   []v1.MatchCondition
	TimeoutSeconds                    int32
	SideEffects                       v1.SideEffectClass
	// Policies are those that a rule of the webhook comes from. Kyverno evaluates no others for a request that gets
	// here.
	Policies []*api.Legacy
}

// Unresolved is a kind that a policy names and the cluster does not serve. Kyverno logs that, registers nothing for
// it, and calls the policy ready.
type Unresolved struct {
	Policy *api.Legacy
	// Kind is the kind as the policy has it.
	Kind string
	// Unknown says that it is not known which kinds the cluster serves.
	Unknown bool
}

// Prediction is what Kyverno writes for legacy policies.
type Prediction struct {
	// Webhooks are those of the validating configuration, then those of the mutating one. Within each the shared
	// webhooks come first, then those for one policy alone, those that ignore failures before those that do not.
	Webhooks []*Webhook
	// Unresolved has each kind of a policy once.
	Unresolved []Unresolved
}

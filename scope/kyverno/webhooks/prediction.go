package webhooks

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// The names of the two configurations (pkg/config/config.go).
const (
	ValidatingName = "kyverno-resource-validating-webhook-cfg"
	MutatingName   = "kyverno-resource-mutating-webhook-cfg"
)

// Input is what webhooks follow from.
type Input struct {
	Policies []*api.Policy
	Legacy   []*api.Legacy
	// Config is what the ConfigMap says; nil stands for no ConfigMap.
	Config  *config.Config
	Release release.Release
	Flags   config.Flags
	// Resources are those that the cluster serves; nil if they are not known. Legacy policies name kinds, which are
	// looked up among them.
	Resources *resource.Set
}

// Ref names a policy.
type Ref struct {
	Kind      api.Kind `json:"kind"`
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"`
}

// String is the kind and the name, with the namespace if there is one.
func (r Ref) String() string {
	if r.Namespace == "" {
		return string(r.Kind) + " " + r.Name
	}
	return string(r.Kind) + " " + r.Namespace + "/" + r.Name
}

// RefOf names a policy that is written in CEL.
func RefOf(p *api.Policy) Ref { return Ref{api.Kind(p.Kind), p.Namespace, p.Name} }

// RefOfLegacy names a legacy policy.
func RefOfLegacy(p *api.Legacy) Ref { return Ref{api.Kind(p.Kind), p.Namespace, p.Name} }

// Prediction is what Kyverno's controller writes.
type Prediction struct {
	// Validating and Mutating are as Kyverno would send them, and never nil.
	Validating *v1.ValidatingWebhookConfiguration
	Mutating   *v1.MutatingWebhookConfiguration
	// Entries are the webhooks of both, the validating ones first, each half in the order of its configuration.
	Entries []*Entry
	// Orders are, before release 1.19, the selectors that the shared webhooks may have; they depend on the order in which
	// the controller meets the policies, which changes from one time to the next. Entries have the first order of each
	// call.
	Orders []*Order
	// Findings are what is wrong, the worst first.
	Findings []Finding

	in Input
}

// Entry is one webhook.
type Entry struct {
	Mutating bool
	// Name is Base, the failure policy in lower case and, for one of several groups, Suffix; for one policy alone it is
	// Base, the failure policy, "finegrained" and the policy.
	Name string
	// Path is the path at which Kyverno is called. It names all members, also those with another failure policy.
	Path   string
	Base   string
	Suffix string
	// Key is what the group's selectors hash to, 64 hexadecimal digits; empty for a webhook that is no group's.
	Key string
	// FineGrained says that the webhook serves one policy alone.
	FineGrained       bool
	FailurePolicy     v1.FailurePolicyType
	NamespaceSelector *metav1.LabelSelector
	ObjectSelector    *metav1.LabelSelector
	Rules             []v1.RuleWithOperations
	// Unordered says that the rules may stand in another order each time, and the names in their lists as well: the rules
	// come in the order of a Go map, and Kyverno sorts the lists of its cached policies in passing, when it makes other
	// webhooks of them.
	Unordered  bool
	Conditions []v1.MatchCondition
	// MatchPolicy and TimeoutSeconds are nil where Kyverno leaves them to the API server: Equivalent, and 10 seconds.
	MatchPolicy    *v1.MatchPolicyType
	TimeoutSeconds *int32
	SideEffects    v1.SideEffectClass
	// Reinvocation is nil where Kyverno leaves it to the API server: Never.
	Reinvocation *v1.ReinvocationPolicyType
	// Members are the policies that a request which gets here is evaluated against, Givers those that the rules are of.
	Members []Ref
	Givers  []Ref

	// group is nil for a webhook of one policy, and for those of legacy policies.
	group *group
}

// Order is one outcome for the shared webhooks of one kind of policies, before release 1.19: the selectors of the
// policy that was written last stand on all of them.
type Order struct {
	Base     string
	Mutating bool
	// Winners are the policies with these selectors: the outcome is this one if the controller meets one of them last.
	Winners []Ref
	// Silent are the policies that no request reaches which they are for; Narrowed those that some do not reach.
	Silent, Narrowed []Ref
	// Entries are the shared webhooks with the selectors of this outcome.
	Entries []*Entry

	pair
}

// Serving returns the entries that a policy is a member of.
func (p *Prediction) Serving(r Ref) []*Entry {
	var all []*Entry
	for _, e := range p.Entries {
		if slices.Contains(e.Members, r) {
			all = append(all, e)
		}
	}
	return all
}

// Severity is how bad a finding is.
type Severity string

// The severities, the worst first.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Finding is something that the policies' authors did not mean, or will pay for.
type Finding struct {
	// Kind is the short name of the rule, such as never-called.
	Kind     string
	Severity Severity
	// Policies are those concerned; Entry is the name of the webhook, or empty.
	Policies []Ref
	Entry    string
	// Message says what is the case, Why by which rule of Kyverno's or the API server's, Fix what would help.
	Message, Why, Fix string
}

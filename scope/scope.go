// Package scope decides, for one request, which admission policies see it and which
// layer of each one decided, and says why.
//
// A policy is a list of layers; each layer narrows by one input and looks at nothing
// else. Explain asks every layer of every policy about one request and combines the
// answers in the API server's own precedence. The package does no I/O and knows no
// kind of policy: the packages below it (rule, selector, condition) are the layers,
// and admission builds policies out of them.
package scope

// StepOutcome is what one layer said about a request.
type StepOutcome string

// A layer matches, does not match, fails as the API server would fail, or cannot be
// decided because a fact is missing.
const (
	Match   StepOutcome = "match"
	NoMatch StepOutcome = "noMatch"
	Failed  StepOutcome = "error"
	Open    StepOutcome = "unknown"
)

// Outcome is what all layers of a policy together say about a request.
type Outcome string

// The outcomes of a trace, in the words of the JSON contract.
const (
	Included Outcome = "included"
	Excluded Outcome = "excluded"
	Error    Outcome = "error"
	Unknown  Outcome = "unknown"
)

// Effect is what follows from an outcome for the request.
type Effect string

// The effects of a trace. An unknown outcome has no effect: it would be a guess.
const (
	Called       Effect = "called"
	NotCalled    Effect = "notCalled"
	Evaluated    Effect = "evaluated"
	NotEvaluated Effect = "notEvaluated"
	Rejected     Effect = "rejected"
	Skipped      Effect = "skipped"
	NoEffect     Effect = ""
)

// LayerName names a layer; the names are part of the JSON contract.
type LayerName string

// The layers of webhooks, admission policies and their bindings.
const (
	Exemption                LayerName = "exemption"
	Binding                  LayerName = "binding"
	ResourceRules            LayerName = "resourceRules"
	NamespaceSelector        LayerName = "namespaceSelector"
	ObjectSelector           LayerName = "objectSelector"
	BindingResourceRules     LayerName = "binding.resourceRules"
	BindingNamespaceSelector LayerName = "binding.namespaceSelector"
	BindingObjectSelector    LayerName = "binding.objectSelector"
	Params                   LayerName = "params"
	MatchConditions          LayerName = "matchConditions"
)

// Phase is the half of admission in which a policy takes part. The two halves see
// different requests: names are generated and mutations are applied between them.
type Phase string

// The four stops of a request's way through admission, in the order in which the API
// server makes them (k8s.io/kubernetes/pkg/kubeapiserver/options/plugins.go).
const (
	MutatingPolicies   Phase = "mutatingPolicies"
	MutatingWebhooks   Phase = "mutatingWebhooks"
	ValidatingPolicies Phase = "validatingPolicies"
	ValidatingWebhooks Phase = "validatingWebhooks"
)

// Phases lists the stops of a request's way in order.
func Phases() []Phase {
	return []Phase{MutatingPolicies, MutatingWebhooks, ValidatingPolicies, ValidatingWebhooks}
}

// Mutating reports whether the phase belongs to the mutating half of admission.
func (p Phase) Mutating() bool { return p == MutatingPolicies || p == MutatingWebhooks }

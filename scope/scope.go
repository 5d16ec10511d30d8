// Package scope decides, for one request, which admission policies see it and which
// layer of each one decided, and says why.
//
// A policy is a list of layers; each layer narrows by one input and looks at nothing
// else. Explain asks every layer of every policy about one request and combines the
// answers in the API server's own precedence. The package does no I/O and knows no
// kind of policy: the packages below it (rule, selector, condition) are the layers,
// and admission builds policies out of them.
package scope

import "strings"

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
	// Classified says that the FlowSchema is the one that the request falls in.
	Classified    Effect = "classified"
	NotClassified Effect = "notClassified"
	NoEffect      Effect = ""
)

// LayerName names a layer; the names are part of the JSON contract.
type LayerName string

// The layers of webhooks, admission policies and their bindings, and of FlowSchemas,
// which have resource rules, too.
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
	Subjects                 LayerName = "subjects"
	NonResourceRules         LayerName = "nonResourceRules"
	Precedence               LayerName = "precedence"
)

// The layers of Kyverno's policies: those of the webhook through which the API server calls
// Kyverno, and those of what Kyverno does with the call.
const (
	WebhookEntry             LayerName = "webhook.entry"
	WebhookExemption         LayerName = "webhook.exemption"
	WebhookResourceRules     LayerName = "webhook.resourceRules"
	WebhookNamespaceSelector LayerName = "webhook.namespaceSelector"
	WebhookObjectSelector    LayerName = "webhook.objectSelector"
	WebhookMatchConditions   LayerName = "webhook.matchConditions"
	ResourceFilters          LayerName = "resourceFilters"
	Selection                LayerName = "matchConstraints.selection"
	MatchNamespaceSelector   LayerName = "matchConstraints.namespaceSelector"
	MatchObjectSelector      LayerName = "matchConstraints.objectSelector"
	MatchResourceRules       LayerName = "matchConstraints.resourceRules"
	MatchBlock               LayerName = "match"
	ExcludeBlock             LayerName = "exclude"
	Exceptions               LayerName = "exceptions"
)

// OfWebhook reports whether the layer is one of the webhook that a policy rides on: where it
// leaves a request out, nobody is called who could evaluate the policy.
func (n LayerName) OfWebhook() bool { return strings.HasPrefix(string(n), "webhook.") }

// AreConditions reports whether the layer evaluates match conditions, which costs more than
// all layers before it and is of no use where these leave the request out.
func (n LayerName) AreConditions() bool { return n == MatchConditions || n == WebhookMatchConditions }

// Phase is a stop on a request's way, at which the policies of one kind are asked. The two
// halves of admission see different requests: names are generated and mutations are
// applied between them.
type Phase string

// The stops of a request's way in the order in which the API server makes them: flow
// control before authorization (k8s.io/apiserver/pkg/server/config.go,
// DefaultBuildHandlerChain), then admission
// (k8s.io/kubernetes/pkg/kubeapiserver/options/plugins.go).
const (
	FlowControl        Phase = "flowControl"
	MutatingPolicies   Phase = "mutatingPolicies"
	MutatingWebhooks   Phase = "mutatingWebhooks"
	ValidatingPolicies Phase = "validatingPolicies"
	ValidatingWebhooks Phase = "validatingWebhooks"
)

// Phases lists the stops of a request's way in order.
func Phases() []Phase {
	return []Phase{FlowControl, MutatingPolicies, MutatingWebhooks, ValidatingPolicies, ValidatingWebhooks}
}

// Mutated reports whether a policy of the phase sees the request after it was mutated.
func (p Phase) Mutated() bool { return p == ValidatingPolicies || p == ValidatingWebhooks }

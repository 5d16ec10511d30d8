package scope

import "context"

// Policy is one thing that can take part in a request: one webhook entry of a
// configuration, or one admission policy with one binding. It is immutable.
type Policy struct {
	Kind      string
	Name      string
	Namespace string
	// Entry is the webhook's name or the binding's name; empty for a policy without binding.
	Entry string
	Phase Phase
	// Layers are the narrowing steps in the order in which people are taught them.
	Layers []Layer
	// WhenIncluded is the effect of an included request; it may depend on the request,
	// because a dry run is refused by a webhook with side effects.
	WhenIncluded func(*Request) Effect
	// WhenExcluded is the effect of an excluded request, unless a layer OfWebhook leaves it out:
	// then the effect is NotCalled.
	WhenExcluded Effect
	// FailurePolicy is Fail or Ignore, as the API server has it after defaulting.
	FailurePolicy string
	// Source is the object that the policy was read from, as written, and Origin a
	// sentence that says where it was found, such as a file name. BindingSource is the
	// binding, for an admission policy that has one, and BindingOrigin where that was found.
	Source        any
	BindingSource any
	Origin        string
	BindingOrigin string
	// Beside is what else the policy was compiled from, in a form that is equal for what makes equal policies; nil if there
	// is nothing else. Two policies with one ID are the same if their sources and what is beside them are.
	Beside any
	// Through are the IDs of the webhooks through which the server behind them is asked about the policy, as far as they are
	// policies themselves; empty for all that the API server evaluates.
	Through []string
}

// ID names a policy within a set: kind, namespace if it is in one, name, and entry if it has
// one. A policy that is in a namespace has no entry.
func (p *Policy) ID() string {
	id := p.Kind + "/" + p.Name
	if p.Namespace != "" {
		id = p.Kind + "/" + p.Namespace + "/" + p.Name
	}
	if p.Entry != "" {
		id += "/" + p.Entry
	}
	return id
}

// Title names a policy in a sentence: its kind, its name with the namespace if it is in one, and its entry if it has one.
func (p *Policy) Title() string {
	title := p.Kind + " " + p.Name
	if p.Namespace != "" {
		title = p.Kind + " " + p.Namespace + "/" + p.Name
	}
	if p.Entry != "" {
		title += " / " + p.Entry
	}
	return title
}

// Layer is one narrowing step of a policy. A layer reads the part of the question that
// its kind declares, and nothing else.
type Layer interface {
	// Name is the layer's name in the contract.
	Name() LayerName
	// Decide says whether the request passes the layer. It is cheap and gives no reasons.
	Decide(ctx context.Context, q Question) Step
	// Explain gives the reasons for a step that Decide returned for the same question.
	Explain(ctx context.Context, q Question, step Step) []Reason
}

// ResourceLayer is a layer that may read nothing but the group, version, resource,
// subresource, operation and scope of a request. Its answer is then the same for every
// request with the same ResourceKey, so that one evaluation serves them all.
type ResourceLayer interface {
	Layer
	// ReadsOnlyResource reports whether this particular layer reads nothing else.
	ReadsOnlyResource() bool
}

// Stage orders errors and answers as the API server meets them. Within a stage a plain
// "no" beats an error, because selector errors are kept back until everything else has
// matched; an earlier stage's error beats a later stage's "no".
type Stage int

// The stages of the API server's matching. A layer gives its step the stage in which
// the API server would have acted on it.
const (
	// StageMatch is the policy's own match: exemption, rules and selectors.
	StageMatch Stage = iota
	// StageConfigured is the check that the parameter kind exists, before bindings are
	// looked at (policy/validating/dispatcher.go).
	StageConfigured
	// StageBinding is the binding's match.
	StageBinding
	// StageParams is the collection of parameters; only its errors count here.
	StageParams
	// StageNamespace is the read of the Namespace object, which is a hard error.
	StageNamespace
	// StageNoParams is the end of a binding that found no parameters and allows that.
	StageNoParams
	// StageConditions is the evaluation of match conditions.
	StageConditions
	// StageReceived is the first thing that the server behind a webhook does with a request: it
	// may let it pass without a look at any policy.
	StageReceived
	// StageEngine is the match of a policy that such a server evaluates, StageEngineFirst and
	// StageEngineLast what it evaluates after that, in its own order: exceptions and conditions.
	StageEngine
	StageEngineFirst
	StageEngineLast
	// StageOrder is the choice of one among several policies that match.
	StageOrder
)

// Step is what one layer said.
type Step struct {
	Outcome StepOutcome
	Stage   Stage
	// Err is the API server's error, for Failed.
	Err error
	// OnError is what the error does to the request, for Failed.
	OnError Effect
	// Missing are the facts that would decide, for Open.
	Missing []Missing
	// Matched is the resource and kind that the rules matched, for resource rules: another
	// version than the request's under matchPolicy Equivalent.
	Matched *Matched
	// Aside says that the layer is for another sort of request, as the rules for resources
	// are for a request to another URL. It matches then, and is left out of what is shown.
	Aside bool
	// Detail is the layer's own note, for Explain.
	Detail any
}

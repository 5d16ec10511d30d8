package scope

// Reason is one requirement of a layer set beside what was observed.
type Reason struct {
	// Field is the path of the requirement in the policy as written, such as
	// webhooks[0].namespaceSelector.matchExpressions[0]. For the layers of a binding it
	// is a path in the binding.
	Field string `json:"field,omitempty"`
	// Want is the requirement in words of the field, Got what was observed.
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Path is where Got stands: a path in the request (object.metadata.labels["app"]) or
	// the name of a fact (namespace/team-a).
	Path string `json:"path,omitempty"`
	// Outcome is what this requirement alone says.
	Outcome StepOutcome `json:"outcome,omitempty"`
	// Message is a sentence where Want and Got are not enough: the API server's own error
	// text, or the fact that is missing.
	Message string `json:"message,omitempty"`
	// Values are the values of the sub-expressions that a CEL expression was decided by.
	Values []Value `json:"values,omitempty"`
}

// Value is a CEL sub-expression and what it evaluated to.
type Value struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
	// Start and End are the byte offsets of the sub-expression in the whole expression.
	Start int `json:"start"`
	End   int `json:"end"`
}

// Missing is a fact that a question leaves open and a verdict would depend on.
type Missing struct {
	// Path is the open part of the request (request.userInfo) or of the facts
	// (namespace/team-a).
	Path string `json:"path"`
	// Fact completes the sentence "It depends on ...": "who asks".
	Fact string `json:"fact"`
}

// Reason is the reason of a step that the fact leaves open.
func (m Missing) Reason() Reason {
	return Reason{Got: "not known", Path: m.Path, Outcome: Open, Message: "It depends on " + m.Fact + "."}
}

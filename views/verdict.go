package views

import "github.com/ambit-k8s/ambit/scope"

// Verdict is what a policy does with a request, as a word with the class that gives it
// its colour and shape.
type Verdict struct{ Class, Word string }

// NewVerdict names the outcome of a trace by what it means for the request.
func NewVerdict(t *scope.Trace) Verdict {
	switch {
	case t.Effect == scope.Rejected:
		return Verdict{"err", "refused"}
	case t.Effect == scope.Skipped:
		return Verdict{"err", "skipped"}
	case t.Outcome == scope.Error:
		return Verdict{"err", "error"}
	case t.Outcome == scope.Unknown:
		return Verdict{"unk", "cannot tell"}
	case t.Outcome == scope.Included:
		return Verdict{"in", string(t.Effect)}
	case t.Policy.Phase == scope.FlowControl:
		return Verdict{"out", letsGo(t)}
	}
	return Verdict{"out", "excluded"}
}

// letsGo is the word for a FlowSchema that does not take a request.
func letsGo(t *scope.Trace) string {
	switch {
	case t.DecidedBy != scope.Precedence:
		return "lets it go"
	case schemaOf(t.Policy).Dangling():
		return "ignored"
	}
	return "not asked"
}

// phaseTitle is the heading of a stop on a request's way.
func phaseTitle(p scope.Phase) string {
	switch p {
	case scope.FlowControl:
		return "Flow control"
	case scope.MutatingPolicies:
		return "Mutating policies"
	case scope.MutatingWebhooks:
		return "Mutating webhooks"
	case scope.ValidatingPolicies:
		return "Validating policies"
	}
	return "Validating webhooks"
}

// isWebhook reports whether the policies of a phase are called rather than evaluated.
func isWebhook(p scope.Phase) bool {
	return p == scope.MutatingWebhooks || p == scope.ValidatingWebhooks
}

// takesPart is the word for a policy that sees a request in a phase.
func takesPart(p scope.Phase) string {
	if isWebhook(p) {
		return "called"
	}
	return "evaluated"
}

// stepWord says in a word what a layer said.
func stepWord(o scope.StepOutcome) string {
	switch o {
	case scope.Match:
		return "matches"
	case scope.NoMatch:
		return "does not match"
	case scope.Failed:
		return "fails"
	}
	return "cannot be told"
}

// stepClass is the class of a layer's answer, and stepSign its sign.
func stepClass(o scope.StepOutcome) string {
	switch o {
	case scope.Match:
		return "in"
	case scope.NoMatch:
		return "out"
	case scope.Failed:
		return "err"
	}
	return "unk"
}

func stepSign(o scope.StepOutcome) string {
	switch o {
	case scope.Match:
		return "✓"
	case scope.NoMatch:
		return "✕"
	case scope.Failed:
		return "!"
	}
	return "?"
}

// onError says what an error of a policy does to a request.
func onError(failurePolicy string) string {
	if failurePolicy == "Ignore" {
		return "is skipped on error"
	}
	return "refuses on error"
}

// fails says the same in the words in which operators speak about it.
func fails(failurePolicy string) string {
	if failurePolicy == "Ignore" {
		return "fails open"
	}
	return "fails closed"
}

package engine

import (
	"context"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// Namespace is the layer of a policy's namespaceSelector.
type Namespace struct {
	*selector.Namespace
	// generates says that the policy generates. What it sees of a request is the object alone: a DELETE has none, and
	// so is in no namespace (gpol/engine/engine.go, Handle).
	generates bool
}

// Decide implements scope.Layer.
func (l *Namespace) Decide(ctx context.Context, q scope.Question) scope.Step {
	if l.blind(q) {
		return scope.Step{Outcome: scope.Match, Stage: scope.StageEngine}
	}
	return l.Namespace.Decide(ctx, received(q))
}

// Explain implements scope.Layer.
func (l *Namespace) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if l.blind(q) {
		const blind = "A policy that generates looks at the object, and a DELETE has none: every namespace passes."
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Match, Message: blind}}
	}
	return l.Namespace.Explain(ctx, received(q), step)
}

// Reads implements scope.Reader.
func (l *Namespace) Reads(q scope.Question) scope.Reads {
	if l.blind(q) {
		return scope.Reads{AnyResource: true}
	}
	return l.Namespace.Reads(q)
}

// Key implements scope.Keyed.
func (l *Namespace) Key() string {
	if l.generates {
		return "generates " + l.Namespace.Key()
	}
	return l.Namespace.Key()
}

func (l *Namespace) blind(q scope.Question) bool {
	return l.generates && q.Attributes.GetOperation() == admission.Delete
}

// Object is the layer of a policy's objectSelector. An object that is not there has no labels, which some selectors
// match.
type Object struct{ *selector.Object }

// Decide implements scope.Layer.
func (l *Object) Decide(ctx context.Context, q scope.Question) scope.Step {
	return l.Object.Decide(ctx, received(q))
}

// Explain implements scope.Layer.
func (l *Object) Explain(ctx context.Context, q scope.Question, step scope.Step) []scope.Reason {
	return l.Object.Explain(ctx, received(q), step)
}

package legacy

import (
	"context"

	"github.com/ambit-k8s/ambit/scope"
)

// matchLayer asks whether the match block of some rule matches, excludeLayer whether the exclude block of every such
// rule does, and exceptionsLayer whether every rule that is left has an exception.
type (
	matchLayer      struct{ *room }
	excludeLayer    struct{ *room }
	exceptionsLayer struct{ *room }
)

// Name implements scope.Layer.
func (l *matchLayer) Name() scope.LayerName { return scope.MatchBlock }

// Name implements scope.Layer.
func (l *excludeLayer) Name() scope.LayerName { return scope.ExcludeBlock }

// Name implements scope.Layer.
func (l *exceptionsLayer) Name() scope.LayerName { return scope.Exceptions }

// Decide implements scope.Layer. Kyverno reads the labels of the namespace before it asks any rule, and refuses the
// request if there is no such namespace.
func (l *matchLayer) Decide(_ context.Context, q scope.Question) scope.Step {
	v := l.ask(q)
	if v.failed != nil {
		return scope.Step{Outcome: scope.Failed, Stage: scope.StageReceived, Err: v.failed, OnError: scope.Rejected}
	}
	return l.step(v.match)
}

// Decide implements scope.Layer.
func (l *excludeLayer) Decide(_ context.Context, q scope.Question) scope.Step {
	return l.step(l.ask(q).exclude)
}

// Decide implements scope.Layer.
func (l *exceptionsLayer) Decide(_ context.Context, q scope.Question) scope.Step {
	if l.nothingExempts() {
		return scope.Step{Outcome: scope.Match, Stage: l.engine.Stage}
	}
	return l.step(l.ask(q).exceptions)
}

// nothingExempts reports whether there are no exceptions to ask.
func (o *room) nothingExempts() bool {
	return len(o.exceptions) == 0 && o.engine.Exceptions.Unread == nil
}

// Reads implements scope.Reader.
func (l *matchLayer) Reads(q scope.Question) scope.Reads { return l.reads(q) }

// Reads implements scope.Reader.
func (l *excludeLayer) Reads(q scope.Question) scope.Reads { return l.reads(q) }

// Reads implements scope.Reader.
func (l *exceptionsLayer) Reads(q scope.Question) scope.Reads {
	if l.nothingExempts() {
		return scope.Reads{}
	}
	return l.reads(q)
}

// NamesResource implements scope.Namer: whatever the operation, the object and the user, some rule names the kind.
func (l *matchLayer) NamesResource(q scope.Question) bool { return l.names(q) }

package selector

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/object"

	"github.com/ambit-k8s/ambit/scope"
)

// Object is the layer that reads the labels of the object and of the old object; either
// may match.
type Object struct {
	Selector *Selector

	name    scope.LayerName
	stage   scope.Stage
	onError scope.Effect
}

// NewObject makes the layer. A selector error has onError for effect.
func NewObject(name scope.LayerName, stage scope.Stage, s *Selector, onError scope.Effect) *Object {
	return &Object{Selector: s, name: name, stage: stage, onError: onError}
}

// Name implements scope.Layer.
func (l *Object) Name() scope.LayerName { return l.name }

// Decide implements scope.Layer. Where the labels of both objects are known the API
// server's matcher decides. Where one side is open, a match of the other settles the
// question; otherwise it stays open unless the known labels rule a match out.
func (l *Object) Decide(_ context.Context, q scope.Question) scope.Step {
	if l.Selector.err == nil && !l.Selector.Empty() {
		if sides := sidesOf(q); sides[0].open.any() || sides[1].open.any() {
			return l.decideOpen(sides)
		}
	}
	matcher := object.Matcher{}
	ok, status := matcher.MatchObjectSelector(l, q.Attributes)
	switch {
	case status != nil:
		return scope.Step{Outcome: scope.Failed, Stage: l.stage, Err: status, OnError: l.onError}
	case ok:
		return scope.Step{Outcome: scope.Match, Stage: l.stage}
	}
	return scope.Step{Outcome: scope.NoMatch, Stage: l.stage}
}

func (l *Object) decideOpen(sides [2]side) scope.Step {
	step := scope.Step{Outcome: scope.NoMatch, Stage: l.stage}
	for _, s := range sides {
		if s.absent() || !s.hasMetadata() {
			continue
		}
		outcome, missing := l.Selector.decideOpen(s.labels(), s.open)
		switch outcome {
		case scope.Match:
			return scope.Step{Outcome: scope.Match, Stage: l.stage}
		case scope.Open:
			step.Outcome = scope.Open
			step.Missing = append(step.Missing, missing...)
		}
	}
	return step
}

// side is one of the two objects that the matcher looks at, with what of its labels is
// open.
type side struct {
	name string
	o    runtime.Object
	open openLabels
}

func sidesOf(q scope.Question) [2]side {
	return [2]side{
		{"object", q.Attributes.GetObject(), openLabelsOf(q, "object")},
		{"oldObject", q.Attributes.GetOldObject(), openLabelsOf(q, "oldObject")},
	}
}

// labels returns the labels of an object, or nil for one that has none to match.
func (s side) labels() labels.Set {
	if s.o == nil {
		return nil
	}
	return objectLabels(s.o)
}

// absent reports whether there is nothing to look at: no object, and none that is open.
func (s side) absent() bool { return s.o == nil && s.open.all == nil }

// hasMetadata is false for an object that no selector matches, such as PodExecOptions.
func (s side) hasMetadata() bool {
	if s.o == nil {
		return true
	}
	_, err := meta.Accessor(s.o)
	return err == nil
}

// Explain implements scope.Layer.
func (l *Object) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	switch {
	case step.Outcome == scope.Failed:
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Failed, Message: step.Err.Error()}}
	case l.Selector.Empty():
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Match, Message: "The selector is empty, so every object passes."}}
	}
	var reasons []scope.Reason
	for _, s := range sidesOf(q) {
		switch {
		case s.absent():
		case !s.hasMetadata():
			reasons = append(reasons, scope.Reason{Field: l.Selector.Field, Got: q.Request.Kind.Kind, Path: s.name, Outcome: scope.NoMatch,
				Message: "A " + q.Request.Kind.Kind + " has no metadata, so no selector that asks for anything matches it, not even DoesNotExist."})
		default:
			reasons = append(reasons, l.Selector.reasons(s.labels(), s.open, func(key string) string { return s.name + ".metadata.labels" + index(key) })...)
		}
	}
	if len(reasons) == 0 {
		reasons = append(reasons, scope.Reason{Field: l.Selector.Field, Outcome: step.Outcome, Got: "no object"})
	}
	return reasons
}

// ReadsOnlyResource reports whether the selector is empty: then nothing is read at all.
func (l *Object) ReadsOnlyResource() bool { return l.Selector.Empty() }

// GetParsedObjectSelector is what the API server's matcher asks for.
func (l *Object) GetParsedObjectSelector() (labels.Selector, error) {
	return l.Selector.parsed, l.Selector.err
}

func objectLabels(o runtime.Object) labels.Set {
	accessor, err := meta.Accessor(o)
	if err != nil {
		return nil
	}
	return accessor.GetLabels()
}

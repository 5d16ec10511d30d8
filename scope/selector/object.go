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

// Decide implements scope.Layer. If the old object is left open, a match of the new one
// settles the question and a miss leaves it open.
func (l *Object) Decide(_ context.Context, q scope.Question) scope.Step {
	matcher := object.Matcher{}
	ok, status := matcher.MatchObjectSelector(l, q.Attributes)
	switch {
	case status != nil:
		return scope.Step{Outcome: scope.Failed, Stage: l.stage, Err: status, OnError: l.onError}
	case ok:
		return scope.Step{Outcome: scope.Match, Stage: l.stage}
	}
	if missing := openObjects(q.Open); len(missing) > 0 {
		return scope.Step{Outcome: scope.Open, Stage: l.stage, Missing: missing}
	}
	return scope.Step{Outcome: scope.NoMatch, Stage: l.stage}
}

// openObjects returns which of the two objects the question leaves open as a whole.
func openObjects(open []scope.Missing) []scope.Missing {
	var missing []scope.Missing
	for _, m := range open {
		if m.Path == "object" || m.Path == "oldObject" {
			missing = append(missing, m)
		}
	}
	return missing
}

// Explain implements scope.Layer.
func (l *Object) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	switch {
	case step.Outcome == scope.Failed:
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Failed, Message: step.Err.Error()}}
	case l.Selector.Empty():
		return []scope.Reason{{Field: l.Selector.Field, Outcome: scope.Match, Message: "The selector is empty, so every object passes."}}
	}
	sides := []struct {
		path string
		o    runtime.Object
	}{{"object", q.Attributes.GetObject()}, {"oldObject", q.Attributes.GetOldObject()}}
	var reasons []scope.Reason
	for _, side := range sides {
		if side.o == nil {
			continue
		}
		if _, err := meta.Accessor(side.o); err != nil {
			reasons = append(reasons, scope.Reason{Field: l.Selector.Field, Got: q.Request.Kind.Kind, Path: side.path, Outcome: scope.NoMatch,
				Message: "A " + q.Request.Kind.Kind + " has no metadata, so no selector that asks for anything matches it, not even DoesNotExist."})
			continue
		}
		set := objectLabels(side.o)
		for _, r := range l.Selector.Requirements {
			reasons = append(reasons, r.reason(set, side.path+".metadata.labels"+index(r.Key)))
		}
	}
	for _, m := range openObjects(q.Open) {
		reasons = append(reasons, scope.Reason{Field: l.Selector.Field, Path: m.Path, Outcome: scope.Open, Got: "not known", Message: "The labels of " + m.Fact + " are not known."})
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

package selector

import (
	"encoding/json"
	"fmt"

	"github.com/ambit-k8s/ambit/scope"
)

// Reads implements scope.Reader. Where a request writes a Namespace, its labels stand in
// for those of the stored one.
func (l *Namespace) Reads(q scope.Question) scope.Reads {
	if writesNamespace(q.Attributes) {
		exists := l.mustExist && q.Request.Kind != namespaceKind
		return scope.Reads{Namespace: exists, NamespaceObject: exists, Object: l.Selector.part}
	}
	if !readsNamespace(q.Attributes) {
		return scope.Reads{AnyResource: true}
	}
	return scope.Reads{Namespace: true, NamespaceObject: true, NamespaceLabels: l.Selector.labels, AnyResource: q.Attributes.GetResource().Resource != "namespaces"}
}

// Reads implements scope.Reader. Objects of all resources have their labels in the same
// place; what requests to subresources carry may have none.
func (l *Object) Reads(q scope.Question) scope.Reads {
	return scope.Reads{Object: l.Selector.part, OldObject: l.Selector.part, AnyResource: q.Request.Subresource == ""}
}

// see works out what the selector reads: whether the labels that it names are there, and have
// one of the values that it lists.
func (s *Selector) see() {
	s.labels = &scope.Part{}
	for _, r := range s.Requirements {
		label := s.labels.Field(r.Key)
		for _, value := range r.Values {
			label.Tests = append(label.Tests, scope.Test{Text: value})
		}
	}
	if !s.Empty() {
		metadata := &scope.Part{Fields: map[string]*scope.Part{"labels": s.labels}}
		s.part = &scope.Part{Fields: map[string]*scope.Part{"metadata": metadata}}
	}
}

// Key implements scope.Keyed.
func (l *Namespace) Key() string {
	return fmt.Sprint(l.name, " ", l.stage, " ", l.onError, " ", l.mustExist, " ", l.Selector.text)
}

// Key implements scope.Keyed.
func (l *Object) Key() string {
	return fmt.Sprint(l.name, " ", l.stage, " ", l.onError, " ", l.Selector.text)
}

// write returns the selector as text, the same for selectors that are written alike.
func write(s *Selector) string {
	text, err := json.Marshal(s.Written)
	if err != nil {
		return fmt.Sprintf("%p", s)
	}
	return string(text)
}

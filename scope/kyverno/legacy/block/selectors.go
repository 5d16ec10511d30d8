package block

import "github.com/ambit-k8s/ambit/scope"

// objectLabels is the selector for the labels of the object.
type objectLabels struct{ labelSelector }

func (r objectLabels) ask(_ *View, s *Side) Answer { return r.labelSelector.ask(s.labels) }
func (r objectLabels) reasons(_ *View, s *Side) []scope.Reason {
	return r.labelSelector.reasons(s.labels)
}
func (objectLabels) weight() int { return 1 }

func (r objectLabels) reads(_ *View, in *reading) {
	for i := range r.fixed.Requirements {
		in.label(&r.fixed.Requirements[i])
	}
	for _, p := range r.patterns {
		in.entry("labels", p.key, p.value)
	}
}

// namespaceLabels is the selector for the labels of the object's namespace. In policies it never matches a Namespace,
// in exceptions it does not count for one.
type namespaceLabels struct {
	labelSelector
	exception bool
}

func (r namespaceLabels) ask(v *View, _ *Side) Answer {
	if v.isNamespace() {
		return answer(r.exception)
	}
	return r.labelSelector.ask(v.namespaceLabels)
}

func (r namespaceLabels) reasons(v *View, s *Side) []scope.Reason {
	if v.isNamespace() {
		reason := r.reason("a namespace with labels", "a Namespace", "request.kind", r.ask(v, s))
		reason.Message = "A namespaceSelector never matches a Namespace, which is in no namespace."
		if r.exception {
			reason.Message = "A namespaceSelector does not count for a Namespace."
		}
		return []scope.Reason{reason}
	}
	return r.labelSelector.reasons(v.namespaceLabels)
}

func (r namespaceLabels) reads(v *View, in *reading) {
	if !v.isNamespace() {
		in.Namespace, in.NamespaceObject = true, true
	}
}

func (namespaceLabels) weight() int { return 2 }

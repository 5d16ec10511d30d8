package engine

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ambit-k8s/ambit/scope"
)

// receivedKey is what of a question the request depends on that Kyverno receives.
type receivedKey struct{ scope.Matched }

// received is the question as Kyverno sees it: in the version that the webhook's rules matched. All objects are without
// a Go type, and an object that is not there is an empty one (pkg/utils/admission/resource.go, ExtractResources): on
// CREATE oldObject is not null, and has no labels for a selector to find.
func received(q scope.Question) scope.Question {
	if q.Matched.Kind.Empty() {
		q.Matched = scope.Matched{Resource: q.Request.Resource, Kind: q.Request.Kind}
	}
	in := scope.Once(q.Input, receivedKey{q.Matched}, func() *scope.Input {
		facts := *q.Facts
		if facts.Namespaces != nil {
			facts.Namespaces = namespaces{facts.Namespaces}
		}
		return q.Received(q.Matched, &facts, func(o runtime.Object) runtime.Object {
			return unstructuredOf(o, q)
		})
	})
	return scope.Question{Input: in, Matched: q.Matched}
}

// unstructuredOf is an object as Kyverno reads it from the request: the kind and the namespace are those of the request
// (ConvertResource).
func unstructuredOf(o runtime.Object, q scope.Question) *unstructured.Unstructured {
	if o == nil {
		return &unstructured.Unstructured{Object: map[string]any{}}
	}
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			// Only a type that is not an API type cannot be converted, and admission has no such objects.
			fields = map[string]any{}
		}
		u = &unstructured.Unstructured{Object: fields}
	} else if u.GroupVersionKind() != q.Matched.Kind || u.GetNamespace() != q.Request.Namespace {
		u = u.DeepCopy()
	}
	u.SetGroupVersionKind(q.Matched.Kind)
	switch namespace := u.GetKind() == "Namespace"; {
	case !namespace && q.Request.Namespace != "" && u.GetNamespace() != q.Request.Namespace:
		u.SetNamespace(q.Request.Namespace)
	case namespace && u.GetNamespace() != "":
		u.SetNamespace("")
	}
	return u
}

// namespaces are the Namespaces as the engine's selectors see them. One that is not found is taken for one that has
// nothing but the label that every Namespace has (pkg/cel/matching/predicates/namespace/matcher.go, GetNamespace).
type namespaces struct{ inner scope.Namespaces }

// Namespace implements scope.Namespaces.
func (n namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	found, presence := n.inner.Namespace(name)
	if presence == scope.Absent {
		labels := map[string]string{corev1.LabelMetadataName: name}
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, scope.Present
	}
	return found, presence
}

// namespaceObject is what conditions see as namespaceObject: null where there is no Namespace, or it is not found
// (pkg/cel/engine/namespace.go, NewNamespaceResolver).
func namespaceObject(q scope.Question) (*corev1.Namespace, *scope.Missing) {
	name := q.Request.Namespace
	if name == "" {
		return nil, nil
	}
	presence := scope.NotKnown
	var found *corev1.Namespace
	if known, ok := q.Facts.Namespaces.(namespaces); ok {
		found, presence = known.inner.Namespace(name)
	}
	switch presence {
	case scope.Present:
		return found, nil
	case scope.Absent:
		return nil, nil
	}
	return nil, &scope.Missing{Path: "namespace/" + name, Fact: "the Namespace " + name}
}

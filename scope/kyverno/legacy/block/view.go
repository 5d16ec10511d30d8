package block

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// View is a request as Kyverno's engine sees it.
type View struct {
	Operation admission.Operation
	// Resource is the resource that the webhook was called for, and Kind the kind of its objects, also where the
	// request is for a subresource that carries another kind. NoKind is set if that kind is not known.
	Resource    schema.GroupVersionResource
	Subresource string
	Kind        schema.GroupVersionKind
	NoKind      *scope.Missing
	// Carried is the kind of the object in the request, such as Eviction.
	Carried string
	// Namespace is that of the object, which Kyverno takes from the request; empty for a Namespace, which is in none.
	Namespace string
	// Object is the object that rules are asked about: the new one, or else the old one. Old is the old one.
	Object, Old *Side

	user            user
	namespaceLabels stringMap
}

type viewKey scope.Matched

// ViewOf returns the view of a question. All policies that match the request as the same resource share it.
func ViewOf(q scope.Question) *View {
	return scope.Once(q.Input, viewKey(q.Matched), func() *View { return newView(q) })
}

func newView(q scope.Question) *View {
	v := &View{
		Operation: q.Request.Operation, Resource: q.Matched.Resource, Subresource: q.Request.Subresource, Carried: q.Matched.Kind.Kind,
		user: userOf(q.Input),
	}
	if !v.isNamespace() {
		v.Namespace = q.Request.Namespace
	}
	v.Kind, v.NoKind = topLevel(q)
	v.Object, v.Old = sideOf(q, "object", q.Request.Object), sideOf(q, "oldObject", q.Request.OldObject)
	if v.Object == nil {
		v.Object = v.Old
	}
	v.namespaceLabels = v.labelsOfNamespace(q)
	return v
}

// isNamespace reports whether Kyverno takes the object for a Namespace: it looks at the name of the kind alone.
func (v *View) isNamespace() bool { return v.Carried == "Namespace" }

// topLevel is the kind of a resource, which for a subresource is not the kind that the request carries
// (pkg/webhooks/handlers, WithTopLevelGVK).
func topLevel(q scope.Question) (schema.GroupVersionKind, *scope.Missing) {
	if q.Request.Subresource == "" {
		return q.Matched.Kind, nil
	}
	if q.Facts.Resources != nil {
		if r, ok := q.Facts.Resources.Find(q.Matched.Resource, ""); ok {
			return r.Kind, nil
		}
	}
	resource := q.Matched.Resource.GroupResource().String()
	return schema.GroupVersionKind{}, &scope.Missing{Path: "request.resource", Fact: "the kind of " + resource}
}

// labelsOfNamespace are what a namespaceSelector reads. An object without a namespace has the labels of none.
func (v *View) labelsOfNamespace(q scope.Question) stringMap {
	if v.Namespace == "" {
		return stringMap{}
	}
	path := "namespace/" + v.Namespace
	ns, presence := q.Namespace()
	switch presence {
	case scope.Present:
		return stringMap{values: ns.Labels, path: path, fact: true}
	case scope.Absent:
		return stringMap{path: path, fact: true}
	}
	return stringMap{
		values: labels.Set{corev1.LabelMetadataName: v.Namespace}, path: path, fact: true, except: corev1.LabelMetadataName,
		all: &scope.Missing{Path: path, Fact: "the labels of namespace " + v.Namespace},
	}
}

// Words is the kind, with the subresource, in the words of a policy.
func (v *View) Words() string {
	words := v.Kind.Kind
	if v.NoKind != nil {
		words = v.Resource.Resource
	}
	if v.Subresource != "" {
		words += "/" + v.Subresource
	}
	return words
}

// Asked is what the request does to what.
func (v *View) Asked() string { return string(v.Operation) + " " + v.Words() }

// Place is the namespace in words.
func (v *View) Place() string {
	if v.Namespace == "" {
		return "no namespace"
	}
	return v.Namespace
}

// Found reports whether Kyverno, when it looks a kind up in the API, finds the resource of the request
// (pkg/clients/dclient/discovery.go, findResources). Other than a match block it finds no kind by a pattern for its
// subresources.
func (v *View) Found(k kind.Selector) bool {
	switch {
	case !k.Names(v.Kind):
		return false
	case k.Kind == "*" && k.Subresource == "*":
		return true
	case k.Subresource == "":
		return v.Subresource == "" || v.Kind == podKind && v.Subresource == ephemeralContainers
	}
	return v.Subresource != "" && kind.Like(k.Subresource, v.Subresource)
}

package review

import (
	"encoding/json"
	"maps"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// candidate is a request that may tell the two sides apart.
type candidate struct {
	resource  resource.Resource
	operation admission.Operation
	name      string
	labels    map[string]string
	// old are the labels that an update takes the place of.
	old         map[string]string
	annotations map[string]string
	user        authenticationv1.UserInfo
	// namespace is that of the request, and known says that it exists.
	namespace *corev1.Namespace
	known     bool
}

// somebody asks for a candidate unless a condition names somebody else.
var somebody = authenticationv1.UserInfo{Username: "jane", Groups: []string{"system:authenticated"}}

var namespaceKind = corev1.SchemeGroupVersion.WithKind("Namespace")

// object is the object of the candidate, with no more than what policies select by.
func (c candidate) object() *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(c.resource.Kind)
	u.SetName(c.name)
	if len(c.labels) > 0 {
		u.SetLabels(maps.Clone(c.labels))
	}
	if len(c.annotations) > 0 {
		u.SetAnnotations(maps.Clone(c.annotations))
	}
	if c.resource.Namespaced {
		u.SetNamespace(c.namespace.Name)
	}
	return u
}

// sides are the object and the old object that the operation has.
func (c candidate) sides() (object, old *unstructured.Unstructured) {
	switch c.operation {
	case admission.Update:
		before := c
		before.labels = c.old
		return c.object(), before.object()
	case admission.Delete:
		return nil, c.object()
	}
	return c.object(), nil
}

// place is the namespace of the request: that of the object, and of a Namespace its own name.
func (c candidate) place() string {
	switch {
	case c.resource.Namespaced:
		return c.namespace.Name
	case c.resource.Kind == namespaceKind:
		return c.name
	}
	return ""
}

// request is the candidate as it is asked in search.
func (c candidate) request() *scope.Request {
	r := &scope.Request{
		Operation: c.operation, Kind: c.resource.Kind, Resource: c.resource.GroupVersionResource, Subresource: c.resource.Subresource,
		Namespace: c.place(), Name: c.name, User: &c.user,
	}
	object, old := c.sides()
	if object != nil {
		r.Object = object
	}
	if old != nil {
		r.OldObject = old
	}
	return r
}

// review is the candidate as somebody else could ask it.
func (c candidate) review() (json.RawMessage, error) {
	kind := metav1.GroupVersionKind(c.resource.Kind)
	gvr := metav1.GroupVersionResource(c.resource.GroupVersionResource)
	dryRun := false
	r := &admissionv1.AdmissionRequest{
		UID: "00000000-0000-0000-0000-000000000000", Kind: kind, Resource: gvr, SubResource: c.resource.Subresource,
		RequestKind: &kind, RequestResource: &gvr, RequestSubResource: c.resource.Subresource,
		Name: c.name, Namespace: c.place(), Operation: admissionv1.Operation(c.operation), UserInfo: c.user, DryRun: &dryRun,
	}
	object, old := c.sides()
	for _, side := range []struct {
		from *unstructured.Unstructured
		to   *runtime.RawExtension
	}{{object, &r.Object}, {old, &r.OldObject}} {
		if side.from == nil {
			continue
		}
		raw, err := side.from.MarshalJSON()
		if err != nil {
			return nil, err
		}
		side.to.Raw = raw
	}
	review := admissionv1.AdmissionReview{Request: r}
	review.SetGroupVersionKind(admissionv1.SchemeGroupVersion.WithKind("AdmissionReview"))
	return json.Marshal(review)
}

// overlay is namespaces of which one is another than in the facts.
type overlay struct {
	scope.Namespaces
	one *corev1.Namespace
}

// Namespace implements scope.Namespaces.
func (o overlay) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if name == o.one.Name {
		return o.one, scope.Present
	}
	if o.Namespaces == nil {
		return nil, scope.NotKnown
	}
	return o.Namespaces.Namespace(name)
}

// around is the namespace that has to exist for the candidate, with its labels: the one that its
// object is in, or the Namespace that it changes. It is nil if there need be none, and known if
// it is one of those that are known.
func (c candidate) around() (namespace *corev1.Namespace, known bool) {
	switch {
	case c.resource.Namespaced:
		return c.namespace, c.known
	case c.resource.Kind == namespaceKind && c.operation != admission.Create:
		_, old := c.sides()
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: c.name, Labels: old.GetLabels()}}, false
	}
	return nil, false
}

// facts are those in which the candidate is asked.
func (c candidate) facts(from *scope.Facts) *scope.Facts {
	namespace, known := c.around()
	if namespace == nil || known {
		return from
	}
	facts := *from
	facts.Namespaces = overlay{from.Namespaces, namespace}
	return &facts
}

// Words says the request of a witness in a line.
func (w Witness) Words() string {
	c := w.asked
	resource := c.resource.GroupResource().String()
	if c.resource.Subresource != "" {
		resource = c.resource.Resource + "/" + c.resource.Subresource
	}
	text := string(c.operation) + " " + resource + " " + c.name
	if len(c.labels) > 0 {
		text += " labelled " + labels.Set(c.labels).String()
	}
	if c.operation == admission.Update && !maps.Equal(c.labels, c.old) {
		text += ", before labelled " + labels.Set(c.old).String()
	}
	if len(c.annotations) > 0 {
		text += " annotated " + labels.Set(c.annotations).String()
	}
	if c.user.Username != somebody.Username || len(c.user.Groups) > len(somebody.Groups) {
		text += " by " + c.user.Username + " of " + strings.Join(c.user.Groups, ", ")
	}
	switch {
	case c.resource.Namespaced && w.MadeUp:
		text += " in a namespace labelled " + labels.Set(c.namespace.Labels).String()
	case c.resource.Namespaced:
		text += " in namespace " + c.namespace.Name
	}
	return text
}

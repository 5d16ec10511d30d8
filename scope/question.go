package scope

import (
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Matched is the resource and the kind in which a policy sees the object.
type Matched struct {
	Resource schema.GroupVersionResource
	Kind     schema.GroupVersionKind
}

// Question is a request as one policy meets it: what its layers may read.
type Question struct {
	*Input
	// Matched is what the policy's resource rules matched; the request's own resource and
	// kind if they did not match.
	Matched Matched
}

// Input is a request in one half of admission together with the facts, and what has
// been derived from them once for all policies. It serves one goroutine: the values that
// CEL sees are built lazily.
type Input struct {
	Request    *Request
	Attributes admission.Attributes
	Facts      *Facts
	Phase      Phase
	Open       []Missing

	versioned map[schema.GroupVersionKind]*Versioned
	openPaths [][]string
	derived   map[any]any
}

// NewInput prepares a request for the policies of one half of admission.
func NewInput(r *Request, facts *Facts, phase Phase) *Input {
	return &Input{Request: r, Attributes: r.Attributes(), Facts: facts, Phase: phase, Open: r.OpenIn(phase)}
}

// OpenPaths are the paths of Open, taken apart.
func (in *Input) OpenPaths() [][]string {
	if in.openPaths == nil && len(in.Open) > 0 {
		for _, m := range in.Open {
			in.openPaths = append(in.openPaths, SplitPath(m.Path))
		}
	}
	return in.openPaths
}

// Once returns what build returned when it was first called for this input and key. It is
// for what several policies need and one can work out for all, such as which FlowSchema
// comes first.
func Once[T any](in *Input, key any, build func() T) T {
	if known, ok := in.derived[key]; ok {
		return known.(T)
	}
	if in.derived == nil {
		in.derived = map[any]any{}
	}
	value := build()
	in.derived[key] = value
	return value
}

// Namespace returns the Namespace that the request is in, if it is in one.
func (in *Input) Namespace() (*corev1.Namespace, Presence) {
	if in.Facts.Namespaces == nil {
		return nil, NotKnown
	}
	return in.Facts.Namespaces.Namespace(in.Request.Namespace)
}

// Versioned is the request with its objects in one kind, as CEL sees it.
type Versioned struct {
	Attributes *admission.VersionedAttributes
	Request    *admissionv1.AdmissionRequest
	// Err says that the objects cannot be had in this kind without the API server.
	Err error
}

// Versioned returns the request with its objects converted to a kind. The resource in
// the CEL request stays the original one, as in match conditions
// (plugin/webhook/matchconditions/matcher.go).
func (in *Input) Versioned(kind schema.GroupVersionKind) *Versioned {
	if v, ok := in.versioned[kind]; ok {
		return v
	}
	v := &Versioned{}
	v.Attributes, v.Err = convert(in, kind)
	v.Request = celplugin.CreateAdmissionRequest(in.Attributes, metav1.GroupVersionResource(in.Attributes.GetResource()), metav1.GroupVersionKind(kind))
	if in.versioned == nil {
		in.versioned = map[schema.GroupVersionKind]*Versioned{}
	}
	in.versioned[kind] = v
	return v
}

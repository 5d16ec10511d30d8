package scope

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
)

// Received is the request as the server behind a webhook gets it, which sees it in the version that the webhook's rules
// matched: kind, resource and objects are of that version, and what was asked for remains in request.requestKind and
// request.requestResource (plugin/webhook/request, CreateAdmissionObjects). Shape turns an object, or nil where admission
// has none, into what the server makes of it; facts are those that it sees.
func (in *Input) Received(as Matched, facts *Facts, shape func(runtime.Object) runtime.Object) *Input {
	v := in.Versioned(as.Kind)
	r := *in.Request
	r.Kind, r.Resource = as.Kind, as.Resource
	r.Object, r.OldObject = shape(v.Attributes.VersionedObject.Object()), shape(v.Attributes.VersionedOldObject.Object())
	out := NewInput(&r, facts, in.Phase)
	out.versioned = map[schema.GroupVersionKind]*Versioned{as.Kind: {
		Attributes: &admission.VersionedAttributes{
			Attributes: out.Attributes, VersionedKind: as.Kind,
			VersionedObject: lazy(r.Object), VersionedOldObject: lazy(r.OldObject),
		},
		Request: celplugin.CreateAdmissionRequest(in.Attributes, metav1.GroupVersionResource(as.Resource), metav1.GroupVersionKind(as.Kind)),
		Err:     v.Err,
	}}
	return out
}

func lazy(o runtime.Object) admission.LazyObject {
	if o == nil {
		return admission.LazyObject{}
	}
	return admission.NewLazyObject(o)
}

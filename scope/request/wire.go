package request

import (
	"encoding/json"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
)

// wire is the request of an AdmissionReview as it is written. It differs from the type of
// the API in that it tells null and absent apart, because absent means open here.
type wire struct {
	UID                string                       `json:"uid,omitempty"`
	Kind               *metav1.GroupVersionKind     `json:"kind,omitempty"`
	Resource           *metav1.GroupVersionResource `json:"resource,omitempty"`
	SubResource        string                       `json:"subResource,omitempty"`
	RequestKind        *metav1.GroupVersionKind     `json:"requestKind,omitempty"`
	RequestResource    *metav1.GroupVersionResource `json:"requestResource,omitempty"`
	RequestSubResource string                       `json:"requestSubResource,omitempty"`
	Name               string                       `json:"name,omitempty"`
	Namespace          string                       `json:"namespace,omitempty"`
	Operation          string                       `json:"operation,omitempty"`
	UserInfo           *authenticationv1.UserInfo   `json:"userInfo,omitempty"`
	Object             *json.RawMessage             `json:"object,omitempty"`
	OldObject          *json.RawMessage             `json:"oldObject,omitempty"`
	DryRun             *bool                        `json:"dryRun,omitempty"`
	Options            *json.RawMessage             `json:"options,omitempty"`
}

// review writes the request as it was derived. What is open is absent.
func (d *draft) review() json.RawMessage {
	r := &d.request
	kind, resource := metav1.GroupVersionKind(r.Kind), metav1.GroupVersionResource(r.Resource)
	w := wire{
		UID: d.uid, Kind: &kind, Resource: &resource, SubResource: r.Subresource,
		Name: r.Name, Namespace: r.Namespace, Operation: string(r.Operation), UserInfo: d.knownUser(), DryRun: &r.DryRun,
		Object: d.raw(r.Object, r.Operation == admission.Delete), OldObject: d.raw(r.OldObject, r.Operation == admission.Create || r.Operation == admission.Connect),
		Options: d.raw(r.Options, r.Operation == admission.Connect),
	}
	data, err := json.Marshal(w)
	if err != nil {
		d.fail("", "the request cannot be written as JSON: "+err.Error(), "correct the object")
		return nil
	}
	return data
}

// raw writes an object as JSON: null if there is certainly none, nothing if it is open.
func (d *draft) raw(o runtime.Object, certainlyNull bool) *json.RawMessage {
	raw := json.RawMessage("null")
	switch {
	case o == nil && certainlyNull:
		return &raw
	case o == nil:
		return nil
	}
	data, err := json.Marshal(o)
	if err != nil {
		d.fail("", "the object cannot be written as JSON: "+err.Error(), "correct it")
		return nil
	}
	raw = data
	return &raw
}

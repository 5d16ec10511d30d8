package scope

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// ConversionUnknown says that an object would be converted to another version by the
// API server in a way that is not known outside it.
type ConversionUnknown struct{ From, To schema.GroupVersionKind }

func (e *ConversionUnknown) Error() string {
	return fmt.Sprintf("how the API server converts %s to %s is not known", e.From.GroupVersion().String()+" "+e.From.Kind, e.To.GroupVersion())
}

// convert returns the request's objects in a kind. On a ConversionUnknown error the
// attributes are still returned, with the objects as they came.
func convert(in *Input, kind schema.GroupVersionKind) (*admission.VersionedAttributes, error) {
	var failed error
	attr := in.Attributes
	byWebhook := false
	if in.Facts.Resources != nil {
		r, _ := in.Facts.Resources.ForKind(kind)
		byWebhook = r.ConvertedByWebhook
	}
	one := func(o runtime.Object) admission.LazyObject {
		if o == nil {
			return admission.LazyObject{}
		}
		out, err := convertObject(o, attr.GetKind(), kind, byWebhook)
		if err != nil {
			failed = err
			out = o
		}
		return admission.NewLazyObject(out)
	}
	v := &admission.VersionedAttributes{Attributes: attr, VersionedKind: kind}
	v.VersionedObject = one(attr.GetObject())
	v.VersionedOldObject = one(attr.GetOldObject())
	return v, failed
}

// convertObject converts what can be converted without the API server: nothing to do,
// or a custom resource, whose default conversion strategy rewrites the apiVersion only.
// Built-in kinds have their conversions in k8s.io/kubernetes and in no library.
func convertObject(o runtime.Object, from, to schema.GroupVersionKind, byWebhook bool) (runtime.Object, error) {
	if from == to {
		return o, nil
	}
	u, ok := o.(*unstructured.Unstructured)
	if !ok || byWebhook || from.GroupKind() != to.GroupKind() {
		return nil, &ConversionUnknown{From: from, To: to}
	}
	out := u.DeepCopy()
	out.SetGroupVersionKind(to)
	return out, nil
}

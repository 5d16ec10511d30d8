// Package defaulting finds out what a kube-apiserver fills into an object between reading it and handing it to
// admission, and writes that down as a table by Go type.
package defaulting

import (
	"fmt"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/controlplane" // installs all API groups in legacyscheme
)

// schemeOf returns the scheme of that server of the delegation chain which serves the group.
func schemeOf(group string) *runtime.Scheme {
	switch group {
	case "apiextensions.k8s.io":
		return apiextensions.Scheme
	case "apiregistration.k8s.io":
		return aggregator.Scheme
	}
	return legacyscheme.Scheme
}

// Decode reads JSON or YAML strictly into the versioned Go type, without any default.
func Decode(gvk schema.GroupVersionKind, data []byte) (runtime.Object, error) {
	codecs := serializer.NewCodecFactory(schemeOf(gvk.Group), serializer.EnableStrict)
	object, _, err := codecs.UniversalDeserializer().Decode(data, &gvk, nil)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", gvk.Kind, err)
	}
	return object, nil
}

// Serve does to a decoded object what the server does before admission sees it: the defaults of its version, the way
// to the internal version (k8s.io/apimachinery/pkg/runtime/serializer/versioning, Decode), and the way back to the
// version that the policy asks for (k8s.io/apiserver/pkg/admission, ConvertToGVK). The object itself is changed, too.
func Serve(gvk schema.GroupVersionKind, object runtime.Object) (served runtime.Object, err error) {
	defer func() {
		if r := recover(); r != nil {
			served, err = nil, fmt.Errorf("convert %s: %v", gvk.Kind, r)
		}
	}()
	scheme := schemeOf(gvk.Group)
	scheme.Default(object)
	internal, err := scheme.ConvertToVersion(object, schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return nil, fmt.Errorf("convert %s to the internal version: %w", gvk.Kind, err)
	}
	served, err = scheme.New(gvk)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", gvk.Kind, err)
	}
	if err := scheme.Convert(internal, served, nil); err != nil {
		return nil, fmt.Errorf("convert %s from the internal version: %w", gvk.Kind, err)
	}
	served.GetObjectKind().SetGroupVersionKind(gvk)
	return served, nil
}

// View is the object as CEL and a webhook see it: by its JSON fields.
func View(object runtime.Object) (map[string]any, error) {
	view, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("convert object to fields: %w", err)
	}
	return view, nil
}

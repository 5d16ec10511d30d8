package compare

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
)

// schemas are those of Kyverno's kinds.
type schemas map[runtimeschema.GroupVersionKind]*schema.Structural

func schemasOf(definitions []*unstructured.Unstructured) (schemas, error) {
	all := schemas{}
	for _, d := range definitions {
		crd, err := definition(d)
		if err != nil {
			return nil, err
		}
		for _, v := range crd.Spec.Versions {
			var internal apiextensions.JSONSchemaProps
			if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
				return nil, fmt.Errorf("convert schema: %w", err)
			}
			structural, err := schema.NewStructural(&internal)
			if err != nil {
				return nil, fmt.Errorf("read schema: %w", err)
			}
			all[runtimeschema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}] = structural
		}
	}
	return all, nil
}

// defaulted is a manifest as the API server would store it, with the defaults of its definition.
func (s schemas) defaulted(manifest *unstructured.Unstructured) *unstructured.Unstructured {
	stored := manifest.DeepCopy()
	if structural := s[manifest.GroupVersionKind()]; structural != nil {
		defaulting.Default(stored.Object, structural)
	}
	return stored
}

package compare

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// serving is what a cluster serves that has some definitions and no others.
func serving(definitions []*unstructured.Unstructured) (*resource.Set, error) {
	all := append([]resource.Resource(nil), resource.Builtin()...)
	for _, d := range definitions {
		crd, err := definition(d)
		if err != nil {
			return nil, err
		}
		all = append(all, resource.FromCRD(crd)...)
	}
	return resource.NewSet(all, nil), nil
}

func definition(d *unstructured.Unstructured) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(d.Object, crd); err != nil {
		return nil, fmt.Errorf("decode definition: %w", err)
	}
	return crd, nil
}

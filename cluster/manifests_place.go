package cluster

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// undefined are the resources of the policies whose kinds no CustomResourceDefinition among the manifests defines: who
// keeps policies in a folder rarely keeps the definitions beside them.
func (m *manifests) undefined() []resource.Resource {
	var all []resource.Resource
	for _, k := range policyKinds {
		defined := slices.ContainsFunc(m.crds, func(crd *apiextensionsv1.CustomResourceDefinition) bool {
			return crd.Spec.Group == k.Group && crd.Spec.Names.Kind == k.Kind
		})
		if !k.Custom || defined || len(m.policies[k.GroupKind]) == 0 {
			continue
		}
		for _, version := range k.Versions {
			all = append(all, resource.Resource{GroupVersionResource: k.In(version), Kind: k.WithVersion(version), Namespaced: k.Namespaced, Served: true})
		}
	}
	return all
}

// place puts an object where the API server would: a namespaced one without a namespace into the default one.
func (m *manifests) place(d manifest.Document, namespaced bool) manifest.Document {
	namespace := ""
	if namespaced {
		namespace = cmp.Or(d.Object.GetNamespace(), m.opts.Namespace)
	}
	if namespace == d.Object.GetNamespace() {
		return d
	}
	d.Object = shallow(d.Object)
	d.Object.SetNamespace(namespace)
	return d
}

// trimSecret leaves nothing but the metadata of a Secret.
func trimSecret(d manifest.Document) manifest.Document {
	if d.Object.GroupVersionKind().GroupKind() != secrets {
		return d
	}
	d.Object = shallow(d.Object)
	delete(d.Object.Object, "data")
	delete(d.Object.Object, "stringData")
	return d
}

// shallow copies an object as far as its metadata, so that these can be changed: the original may be part of an older
// snapshot that somebody is looking at.
func shallow(u *unstructured.Unstructured) *unstructured.Unstructured {
	fields := maps.Clone(u.Object)
	if metadata, ok := fields["metadata"].(map[string]any); ok {
		fields["metadata"] = maps.Clone(metadata)
	}
	return &unstructured.Unstructured{Object: fields}
}

package cluster

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// item is one object as a watch keeps it: decoded, and without what nobody asks for.
type item struct {
	meta metav1.Object
	// object is nil if it cannot be decoded; problems then say why.
	object   runtime.Object
	problems []manifest.Problem
	// named are those whom a role binding names; there is nothing else to keep of one.
	named *named
}

// GetObjectMeta implements metav1.ObjectMetaAccessor, by which caches find the key of an item.
func (i *item) GetObjectMeta() metav1.Object { return i.meta }

// decoder returns how the objects of a watch are decoded.
func (l *live) decoder(key watchKey, k scope.ObjectKind) func(*unstructured.Unstructured) *item {
	return func(u *unstructured.Unstructured) *item {
		switch {
		case key.param:
		case k.GroupKind == apiServiceKind.GroupKind, k.GroupKind == serviceAccountKind.GroupKind:
			return &item{meta: nameOnly(u)}
		case k.GroupKind == clusterRoleBindingKind.GroupKind, k.GroupKind == roleBindingKind.GroupKind:
			return &item{meta: nameOnly(u), named: namedBy(u)}
		case k.GroupKind == crdKind.GroupKind:
			trimCRD(u)
		}
		return decodeItem(u, k.Decoded(), l.clients.name)
	}
}

// decodeItem makes an item of an object as the API server sends it. The problems that it can have come from fields
// and kinds that are newer than this program, or from an object that an old API server stored.
func decodeItem(u *unstructured.Unstructured, as schema.GroupVersionKind, origin string) *item {
	d := manifest.Document{Object: u, Source: origin}
	d.Object.SetGroupVersionKind(as)
	object, problems := d.Typed()
	for i := range problems {
		problems[i].Message = as.Kind + " " + nameOf(keyOf(d).NamespacedName) + ": " + problems[i].Message
	}
	if meta, ok := object.(metav1.Object); ok {
		return &item{meta: meta, object: object, problems: problems}
	}
	return &item{meta: nameOnly(u), problems: problems}
}

// nameOnly is the metadata of an object of which nothing but the name matters.
func nameOnly(u *unstructured.Unstructured) metav1.Object {
	return &metav1.ObjectMeta{Namespace: u.GetNamespace(), Name: u.GetName()}
}

// trimCRD drops the schemas of a CustomResourceDefinition, which are nearly all of it, and the copy of them that
// "kubectl apply" keeps in an annotation.
func trimCRD(u *unstructured.Unstructured) {
	u.SetAnnotations(nil)
	versions, _, _ := unstructured.NestedSlice(u.Object, "spec", "versions")
	for _, v := range versions {
		if version, ok := v.(map[string]any); ok {
			delete(version, "schema")
			delete(version, "additionalPrinterColumns")
		}
	}
	if versions != nil {
		_ = unstructured.SetNestedSlice(u.Object, versions, "spec", "versions")
	}
}

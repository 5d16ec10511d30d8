package seed

import (
	"cmp"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// inOrder returns the objects in an order in which a server takes them: what others are put into, what defines their
// kinds, and what belongs to the whole cluster, which others name. What decides about writes goes last, because nothing
// answers at the addresses of the webhooks, and the policies refuse some of what the sample runs. Otherwise the order
// stays, so that owners are there before what they own.
func inOrder(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.SortedStableFunc(slices.Values(objects), func(a, b *unstructured.Unstructured) int {
		return cmp.Compare(turn(a), turn(b))
	})
}

// turn says when an object has its turn.
func turn(object *unstructured.Unstructured) int {
	gvk := object.GroupVersionKind()
	switch {
	case gvk.Kind == "Namespace" && gvk.Group == "":
		return 0
	case gvk.Kind == "CustomResourceDefinition":
		return 1
	case gvk.Group == admissionregistrationv1.GroupName:
		return 4
	case object.GetNamespace() == "":
		return 2
	}
	return 3
}

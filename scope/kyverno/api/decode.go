package api

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// DecodePolicy reads a policy of the group policies.kyverno.io, in any of its versions.
func DecodePolicy(o *unstructured.Unstructured) (*Policy, error) {
	p := &Policy{}
	err := decode(o, p)
	p.Written, p.Namespace = o, namespaceOf(o)
	return p, err
}

// DecodeLegacy reads a ClusterPolicy or a Policy, in any of its versions.
func DecodeLegacy(o *unstructured.Unstructured) (*Legacy, error) {
	p := &Legacy{}
	err := decode(o, p)
	p.Written, p.Namespace = o, namespaceOf(o)
	return p, err
}

// DecodeException reads a PolicyException of the group policies.kyverno.io.
func DecodeException(o *unstructured.Unstructured) (*Exception, error) {
	e := &Exception{}
	err := decode(o, e)
	e.Written = o
	return e, err
}

// DecodeLegacyException reads a PolicyException of the group kyverno.io.
func DecodeLegacyException(o *unstructured.Unstructured) (*LegacyException, error) {
	e := &LegacyException{}
	err := decode(o, e)
	e.Written = o
	return e, err
}

// namespaceOf is the namespace that an API server stores with a policy: none with one of a kind that has no namespaces,
// though a manifest may name one. Kyverno goes by whether there is one.
func namespaceOf(o *unstructured.Unstructured) string {
	if !Kind(o.GetKind()).Namespaced() {
		return ""
	}
	return o.GetNamespace()
}

// decode empties the fields that have no JSON, keeps what is absent and what is empty apart, and does not mind fields
// that decide no scope. Kyverno's custom resource definitions refuse what cannot be decoded, so that an error is about
// an object that no API server has stored.
func decode(o *unstructured.Unstructured, into any) error {
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, into); err != nil {
		return fmt.Errorf("%s cannot be read: %w", strings.TrimSpace(o.GetKind()+" "+o.GetName()), err)
	}
	return nil
}

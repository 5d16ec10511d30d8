package scope

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// Presence says whether something exists, as far as the facts go.
type Presence int

// A thing is there, is not there, or nobody looked.
const (
	NotKnown Presence = iota
	Present
	Absent
)

// Facts is what a verdict may depend on outside the request. It must not change while
// it is used.
type Facts struct {
	Namespaces Namespaces
	Resources  *resource.Set
	Params     ParamSource
	// Authorizer answers the checks of match conditions; nil leaves them open. An error
	// from it leaves the check open too: it says nothing about the request.
	Authorizer authorizer.UnconditionalAuthorizer
	// Version is the version of the API server whose behaviour is wanted.
	Version *version.Version
}

// Namespaces knows the Namespace objects of a cluster.
type Namespaces interface {
	// Namespace returns the Namespace of that name if it is Present.
	Namespace(name string) (*corev1.Namespace, Presence)
}

// ParamSource knows the objects that bindings of admission policies may name.
type ParamSource interface {
	// Param returns one object of a kind; namespace is empty for cluster-scoped kinds. The
	// reason is a sentence and goes with NotKnown.
	Param(kind schema.GroupVersionKind, namespace, name string) (param runtime.Object, presence Presence, reason string)
	// ListParams returns the objects of a kind that a selector matches, in all namespaces if
	// namespace is empty. If they are not known, reason says why.
	ListParams(kind schema.GroupVersionKind, namespace string, selector labels.Selector) (params []runtime.Object, known bool, reason string)
}

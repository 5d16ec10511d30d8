package selector

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// lister gives the API server's namespace matcher the facts of a question.
type lister struct{ *scope.Input }

// Get returns the namespace from the facts, or the API server's "not found".
func (l lister) Get(name string) (*corev1.Namespace, error) {
	if name == "" {
		return nil, notFound(name)
	}
	ns, presence := l.Namespace()
	switch presence {
	case scope.Present:
		return ns, nil
	case scope.Absent:
		return nil, notFound(name)
	}
	return nil, errors.New("namespace " + name + " is not known")
}

// List is part of the lister interface; the matcher does not call it.
func (l lister) List(labels.Selector) ([]*corev1.Namespace, error) {
	return nil, errors.New("namespaces are read by name only")
}

// noLiveRead answers the live read that the matcher does after a cache miss: the facts
// are all there is.
type noLiveRead struct{ kubernetes.Interface }

func (noLiveRead) CoreV1() typedcorev1.CoreV1Interface { return noLiveCore{} }

type noLiveCore struct{ typedcorev1.CoreV1Interface }

func (noLiveCore) Namespaces() typedcorev1.NamespaceInterface { return noLiveNamespaces{} }

type noLiveNamespaces struct {
	typedcorev1.NamespaceInterface
}

// Get refuses an empty name as client-go does: a foreign resource called namespaces has
// no namespace to read.
func (noLiveNamespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	if name == "" {
		return nil, errors.New("resource name may not be empty")
	}
	return nil, notFound(name)
}

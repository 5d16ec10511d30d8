package cluster

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/scope"
)

// namespaces are the Namespace objects of a snapshot.
type namespaces struct {
	byName map[string]*corev1.Namespace
	// sorted has them in the order of their names.
	sorted []*corev1.Namespace
	// complete says that there are no others.
	complete bool
}

// newNamespaces indexes namespaces by their names.
func newNamespaces(all []*corev1.Namespace, complete bool) *namespaces {
	n := &namespaces{byName: make(map[string]*corev1.Namespace, len(all)), sorted: slices.Clone(all), complete: complete}
	slices.SortFunc(n.sorted, func(a, b *corev1.Namespace) int { return strings.Compare(a.Name, b.Name) })
	for _, ns := range all {
		n.byName[ns.Name] = ns
	}
	return n
}

// Namespace implements scope.Namespaces.
func (n *namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if ns, ok := n.byName[name]; ok {
		return ns, scope.Present
	}
	if n.complete {
		return nil, scope.Absent
	}
	return nil, scope.NotKnown
}

// nameLabelSince is the version since which the API server gives every Namespace the label with its name (feature
// gate NamespaceDefaultLabelName). An older one leaves a Namespace as it was written.
var nameLabelSince = version.MajorMinor(1, 21)

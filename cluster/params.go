package cluster

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ambit-k8s/ambit/scope"
)

// secretsReason says why a Secret is never a known parameter.
const secretsReason = "Ambit does not read the contents of Secrets"

// params answers the bindings of admission policies: for each kind a table, or the reason why there is none.
type params struct {
	tables map[schema.GroupVersionKind]paramTable
	// otherwise gives the table of a kind that is not among them.
	otherwise func(schema.GroupVersionKind) paramTable
}

// paramTable holds the objects of one kind, or says in reason why they are not known.
type paramTable struct {
	objects map[types.NamespacedName]runtime.Object
	reason  string
}

// Param implements scope.ParamSource.
func (p *params) Param(kind schema.GroupVersionKind, namespace, name string) (runtime.Object, scope.Presence, string) {
	table := p.table(kind)
	if table.reason != "" {
		return nil, scope.NotKnown, table.reason
	}
	obj, ok := table.objects[types.NamespacedName{Namespace: namespace, Name: name}]
	if !ok {
		return nil, scope.Absent, ""
	}
	return obj, scope.Present, ""
}

// ListParams implements scope.ParamSource. The objects come in the order of their namespaces and names.
func (p *params) ListParams(kind schema.GroupVersionKind, namespace string, selector labels.Selector) ([]runtime.Object, bool, string) {
	table := p.table(kind)
	if table.reason != "" {
		return nil, false, table.reason
	}
	var found []runtime.Object
	for _, key := range slices.SortedFunc(maps.Keys(table.objects), byNamespaceAndName) {
		obj := table.objects[key]
		m, ok := obj.(metav1.Object)
		if ok && (namespace == "" || key.Namespace == namespace) && selector.Matches(labels.Set(m.GetLabels())) {
			found = append(found, obj)
		}
	}
	return found, true, ""
}

func (p *params) table(kind schema.GroupVersionKind) paramTable {
	if kind.GroupKind() == secrets {
		return paramTable{reason: secretsReason}
	}
	if table, ok := p.tables[kind]; ok {
		return table
	}
	return p.otherwise(kind)
}

func byNamespaceAndName(a, b types.NamespacedName) int {
	if c := strings.Compare(a.Namespace, b.Namespace); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}

package cluster

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// manifestParams makes the tables of parameters when they are asked for: the policies that take them may come from
// elsewhere, as those of a review do.
type manifestParams struct {
	*manifests

	mu     sync.Mutex
	tables map[schema.GroupVersionKind]paramTable
}

// table returns the objects of a kind. A kind without any is empty and not unknown: manifests are the cluster.
func (p *manifestParams) table(kind schema.GroupVersionKind) paramTable {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t, ok := p.tables[kind]; ok {
		return t
	}
	t, _ := p.read(kind)
	if p.tables == nil {
		p.tables = map[schema.GroupVersionKind]paramTable{}
	}
	p.tables[kind] = t
	return t
}

// read decodes the objects of a kind, those that are written in another version of it, too.
func (p *manifestParams) read(kind schema.GroupVersionKind) (paramTable, []manifest.Problem) {
	t := paramTable{objects: map[types.NamespacedName]runtime.Object{}}
	var problems []manifest.Problem
	for _, d := range p.others[kind.GroupKind()] {
		key := keyOf(d)
		if from := d.Object.GroupVersionKind(); from != kind && !p.convertible(kind) {
			return paramTable{reason: fmt.Sprintf("%s %s is written in version %s, and how the API server converts it to %s is not known",
				kind.Kind, nameOf(key.NamespacedName), from.Version, kind.Version)}, problems
		}
		obj, found := decodeAs(d, kind)
		problems = append(problems, found...)
		if obj != nil {
			t.objects[key.NamespacedName] = obj
		}
	}
	return t, problems
}

// convertible reports whether a kind is a custom resource that the API server converts by writing another apiVersion
// into it, which is what it does unless there is a webhook for it.
func (p *manifestParams) convertible(kind schema.GroupVersionKind) bool {
	for _, crd := range p.crds {
		if crd.Spec.Group == kind.Group && crd.Spec.Names.Kind == kind.Kind {
			r, ok := p.resources.ForKind(kind)
			return ok && !r.ConvertedByWebhook
		}
	}
	return false
}

// decode decodes a document as a kind and keeps the problems.
func (m *manifests) decode(d manifest.Document, kind schema.GroupVersionKind) (runtime.Object, bool) {
	obj, problems := decodeAs(d, kind)
	m.problems = append(m.problems, problems...)
	return obj, obj != nil
}

// decodeAs decodes a document in another version of its kind, in which it has the same fields.
func decodeAs(d manifest.Document, kind schema.GroupVersionKind) (runtime.Object, []manifest.Problem) {
	if d.Object.GroupVersionKind() != kind {
		d.Object = shallow(d.Object)
		d.Object.SetGroupVersionKind(kind)
	}
	return d.Typed()
}

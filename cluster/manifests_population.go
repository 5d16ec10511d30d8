package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// population takes the documents for the objects that exist. A document whose kind is not known is left out, and so is
// one that no API server stores, such as a SubjectAccessReview.
func (m *manifests) population(set *scope.Set, facts *scope.Facts) Population {
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, set.Policies(), facts)
	resources := map[schema.GroupVersionResource]bool{}
	unknown := map[schema.GroupVersionKind]int{}
	var documents []stored
	for i, d := range m.objects() {
		kind := d.Object.GroupVersionKind()
		switch r, ok := m.resources.ForKind(kind); {
		case !ok || !r.Served:
			unknown[kind]++
		case allows(r, "list"):
			resources[r.GroupVersionResource] = true
			documents = append(documents, stored{Document: d, resource: r, place: i})
		}
	}
	for _, o := range m.look(documents, projector) {
		if o.Name != "" {
			store.Put(o)
		}
	}
	p := Population{Population: store.Snapshot(), Document: m.documentOf(documents)}
	for gvr := range resources {
		p.Resources = append(p.Resources, PopulationResource{GroupVersionResource: gvr, State: Read, Objects: p.Count(gvr)})
	}
	for kind, count := range unknown {
		p.Resources = append(p.Resources, m.leftOut(kind, count))
	}
	slices.SortFunc(p.Resources, func(a, b PopulationResource) int {
		return byGroupAndName(a.GroupVersionResource, b.GroupVersionResource)
	})
	return p
}

// stored is a document that an API server would store, and its place among all.
type stored struct {
	manifest.Document
	resource resource.Resource
	place    int
}

// objects are all documents that count, in an order that stays. Those that policies and facts are made of count in the
// version in which they were read, and not at all if they could not be.
func (m *manifests) objects() []manifest.Document {
	var all []manifest.Document
	for _, d := range m.known {
		k, _ := kindOf(d.Object.GroupVersionKind().GroupKind())
		if _, read := m.origins[keyOf(d)]; read {
			d.Object = shallow(d.Object)
			d.Object.SetGroupVersionKind(k.Decoded())
			all = append(all, d)
		}
	}
	byName := func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) }
	for _, kind := range slices.SortedFunc(maps.Keys(m.others), byName) {
		all = append(all, m.others[kind]...)
	}
	return all
}

// look makes objects of documents, on all processors: decoding one takes longer than everything else that is done with
// it.
func (m *manifests) look(documents []stored, projector *coverage.Projector) []coverage.Object {
	objects := make([]coverage.Object, len(documents))
	workers := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(documents); i += workers {
				objects[i] = m.object(documents[i], projector)
			}
		})
	}
	all.Wait()
	return objects
}

// documentOf looks for documents among those of a population. Somebody asks for one at a time, so that an index of all
// would cost more than it saves.
func (m *manifests) documentOf(documents []stored) func(schema.GroupVersionResource, string, string) (*unstructured.Unstructured, bool) {
	return func(gvr schema.GroupVersionResource, namespace, name string) (*unstructured.Unstructured, bool) {
		if gvr.GroupResource() == secretResource { // Its data may stand in an annotation, too.
			return nil, false
		}
		wanted := objectName{namespace, name}
		i := slices.IndexFunc(documents, func(d stored) bool { return d.resource.GroupVersionResource == gvr && m.name(d) == wanted })
		if i < 0 {
			return nil, false
		}
		return documents[i].Object, true
	}
}

// name is where the API server would store a document. Its place makes a name for one that is to be named by the API
// server; one without any name is never stored.
func (m *manifests) name(d stored) objectName {
	at := objectName{name: d.Object.GetName()}
	if d.resource.Namespaced {
		at.namespace = cmp.Or(d.Object.GetNamespace(), m.opts.Namespace)
	}
	if at.name == "" && d.Object.GetGenerateName() != "" {
		at.name = fmt.Sprintf("%s%05d", d.Object.GetGenerateName(), d.place)
	}
	return at
}

// object is a document as the API server would store it.
func (m *manifests) object(d stored, projector *coverage.Projector) coverage.Object {
	at := m.name(d)
	o := coverage.Object{Resource: d.resource.GroupVersionResource, Namespace: at.namespace, Name: at.name, Labels: d.Object.GetLabels()}
	if ns := m.namespace(d.Document); ns != nil {
		o.Labels = ns.Labels
	}
	if projector.Needs(o.Resource) > coverage.NeedsNothing {
		if whole := m.whole(d.Document); whole != nil {
			o.Content = projector.Project(o.Resource, whole)
		}
	}
	return o
}

// whole decodes a document with the API server's defaults, as match conditions see it. What is wrong with it has been
// said of the policies and parameters; of other objects a part that has the wrong form makes the content unknown.
func (m *manifests) whole(d manifest.Document) k8sruntime.Object {
	if ns := m.namespace(d); ns != nil {
		return ns
	}
	if d.Object.GroupVersionKind().GroupKind() == secrets {
		return &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: d.Object.GetAPIVersion(), Kind: d.Object.GetKind()}, ObjectMeta: metadataOf(d)}
	}
	object, _ := d.Typed()
	return object
}

// metadataOf is the metadata of a document alone.
func metadataOf(d manifest.Document) metav1.ObjectMeta {
	var o metav1.PartialObjectMetadata
	if k8sruntime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{"metadata": d.Object.Object["metadata"]}, &o) != nil {
		return metav1.ObjectMeta{Namespace: d.Object.GetNamespace(), Name: d.Object.GetName(), Labels: d.Object.GetLabels()}
	}
	return o.ObjectMeta
}

// namespace returns the Namespace that a document was read as, which has the label with its name.
func (m *manifests) namespace(d manifest.Document) *corev1.Namespace {
	if d.Object.GroupVersionKind().GroupKind() != namespaceKind.GroupKind {
		return nil
	}
	for _, ns := range m.namespaces {
		if ns.Name == d.Object.GetName() {
			return ns
		}
	}
	return nil
}

// leftOut says why the objects of a kind are left out. There is no resource to name, so it is called by the plural that
// the kind would have.
func (m *manifests) leftOut(kind schema.GroupVersionKind, count int) PopulationResource {
	gvr, _ := meta.UnsafeGuessKindToResource(kind)
	why := fmt.Sprintf("Kubernetes %s does not have the kind %s, and no CustomResourceDefinition among the manifests defines it.", builtin.Version, kind.Kind)
	if _, defined := m.resources.ForKind(kind); defined {
		why = fmt.Sprintf("the CustomResourceDefinition of %s does not serve the version %s.", kind.Kind, kind.Version)
	}
	what := fmt.Sprintf("%d objects are left out", count)
	if count == 1 {
		what = "One object is left out"
	}
	return PopulationResource{GroupVersionResource: gvr, State: Missing, Why: what + ": " + why}
}

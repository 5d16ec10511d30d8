package cluster

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// manifests are documents taken for the objects of a cluster.
type manifests struct {
	opts       Options
	policies   map[schema.GroupKind][]runtime.Object
	namespaces []*corev1.Namespace
	crds       []*apiextensionsv1.CustomResourceDefinition
	resources  *resource.Set
	// known are the documents that the policies and facts were read from.
	known []manifest.Document
	// others are the objects of all other kinds, the parameters of policies among them.
	others map[schema.GroupKind][]manifest.Document
	// preset are the kinds of which there are no objects but those that every API server has.
	preset   []scope.ObjectKind
	problems []manifest.Problem
	origins  map[objectKey]string
}

// objectKey is what makes an object the same object in another document. The version is no part of it.
type objectKey struct {
	schema.GroupKind
	types.NamespacedName
}

// newManifests sorts documents. Last is the resources of what was made before, if anything was. The kinds that a snapshot is made of come first: only when the
// CustomResourceDefinitions are known, it is known which of the other objects are in a namespace.
func newManifests(documents []manifest.Document, opts Options, last *resource.Set) *manifests {
	m := &manifests{opts: opts, policies: map[schema.GroupKind][]runtime.Object{}, others: map[schema.GroupKind][]manifest.Document{}, origins: map[objectKey]string{}}
	var known, others []manifest.Document
	for _, d := range documents {
		if k, ok := kindOf(d.Object.GroupVersionKind().GroupKind()); ok && k.Named == "" {
			known = append(known, m.place(d, k.Namespaced))
		} else {
			others = append(others, d)
		}
	}
	m.known = m.unique(known)
	for _, d := range m.known {
		m.addKnown(d)
	}
	m.resources = resourceSet(last, slices.Concat(resource.Builtin(), customResources(m.crds), m.undefined()))
	for i, d := range others {
		if r, ok := m.resources.ForKind(d.Object.GroupVersionKind()); ok {
			d = m.place(d, r.Namespaced)
		}
		others[i] = trimSecret(d)
	}
	for _, d := range m.unique(others) {
		gk := d.Object.GroupVersionKind().GroupKind()
		m.others[gk] = append(m.others[gk], d)
		if k, ok := kindOf(gk); ok && k.Named == d.Object.GetName() {
			m.addKnown(d)
		}
	}
	return m
}

// unique drops the documents whose object comes again later, as "kubectl apply" would overwrite it.
func (m *manifests) unique(documents []manifest.Document) []manifest.Document {
	at := make(map[objectKey]int, len(documents))
	kept := documents[:0:0]
	for _, d := range documents {
		key := keyOf(d)
		i, again := at[key]
		if !again || key.Name == "" {
			at[key] = len(kept)
			kept = append(kept, d)
			continue
		}
		m.problems = append(m.problems, d.Problem(manifest.Warning, "metadata.name",
			fmt.Sprintf("%s %s is also in %s", key.Kind, nameOf(key.NamespacedName), origin(kept[i])), "this later one is used"))
		kept[i] = d
	}
	return kept
}

func keyOf(d manifest.Document) objectKey {
	return objectKey{
		GroupKind:      d.Object.GroupVersionKind().GroupKind(),
		NamespacedName: types.NamespacedName{Namespace: d.Object.GetNamespace(), Name: d.Object.GetName()},
	}
}

func nameOf(n types.NamespacedName) string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.String()
}

// origin says where a document stands.
func origin(d manifest.Document) string {
	return fmt.Sprintf("%s, document %d, line %d", d.Source, d.Index, d.Line)
}

// addKnown decodes an object of a kind that a snapshot is made of.
func (m *manifests) addKnown(d manifest.Document) {
	gvk := d.Object.GroupVersionKind()
	k, _ := kindOf(gvk.GroupKind())
	if !slices.Contains(k.Versions, gvk.Version) {
		why := "no Kubernetes since 1.26 serves it"
		if k.Custom {
			why = "Ambit does not know this version"
		}
		m.problems = append(m.problems, d.Problem(manifest.Error, "apiVersion",
			fmt.Sprintf("%s %s is not used: %s", gvk.GroupVersion(), gvk.Kind, why),
			"write it as "+k.Decoded().GroupVersion().String()))
		return
	}
	obj, ok := m.decode(d, k.Decoded())
	if !ok {
		return
	}
	m.origins[keyOf(d)] = origin(d)
	switch obj := obj.(type) {
	case *corev1.Namespace:
		if _, written := d.Object.GetLabels()[corev1.LabelMetadataName]; !written && m.opts.Version.LessThan(nameLabelSince) {
			delete(obj.Labels, corev1.LabelMetadataName)
		}
		m.namespaces = append(m.namespaces, obj)
	case *apiextensionsv1.CustomResourceDefinition:
		m.crds = append(m.crds, obj)
	default:
		m.policies[k.GroupKind] = append(m.policies[k.GroupKind], obj)
	}
}

// snapshot compiles the policies and puts everything together.
func (m *manifests) snapshot(c compilers) *Snapshot {
	policies := scope.Objects{Of: maps.Clone(m.policies), Complete: m.complete, Origin: m.origin, Resources: m.resources}
	m.preset = c.preset(policies)
	names := newNamespaces(m.namespaces, len(m.namespaces) > 0)
	objects := &manifestParams{manifests: m}
	for _, gvk := range c.paramKinds(policies) {
		_, problems := objects.read(gvk)
		m.problems = append(m.problems, problems...)
	}
	s := &Snapshot{
		Facts: &scope.Facts{
			Namespaces: names, Resources: m.resources, Version: m.opts.Version,
			Params: &params{otherwise: objects.table},
		},
		Policies:   c.compile(policies),
		Namespaces: names.sorted,
		Identities: m.identities(),
	}
	if m.opts.Population {
		s.Population = m.population(s.Policies, s.Facts)
	}
	s.About = About{
		Kind: Manifests, Version: "v" + m.opts.Version.String(), Gaps: m.gaps(), Problems: m.problems,
		Counts: append(countPolicies(scope.Objects{Of: m.policies}), Count{namespaceKind.Plural, len(m.namespaces)}, Count{crdKind.Plural, len(m.crds)},
			Count{serviceAccountKind.Plural, len(s.Identities.ServiceAccounts)}),
	}
	return s
}

// complete reports whether the manifests have some object of a kind; then they have all. Where the objects of every API
// server stand in, these are all, and where there need not be any, none are.
func (m *manifests) complete(gk schema.GroupKind) bool {
	k, _ := kindOf(gk)
	return len(m.policies[gk]) > 0 || m.standIn(gk) || optional(k)
}

// standIn reports whether the objects of a kind are those that every API server has.
func (m *manifests) standIn(gk schema.GroupKind) bool {
	return slices.ContainsFunc(m.preset, func(k scope.ObjectKind) bool { return k.GroupKind == gk })
}

// origin says where an object stands.
func (m *manifests) origin(gk schema.GroupKind, namespace, name string) string {
	if m.standIn(gk) {
		return "the defaults of Kubernetes " + builtin.Version
	}
	return m.origins[objectKey{gk, types.NamespacedName{Namespace: namespace, Name: name}}]
}

// gaps says what manifests leave open.
func (m *manifests) gaps() []string {
	var gaps []string
	if len(m.namespaces) == 0 {
		gaps = append(gaps, "There is no Namespace among the manifests; the labels of namespaces are not known.")
	}
	if builtinVersion := m.opts.Version.String(); builtinVersion != builtin.Version {
		gaps = append(gaps, fmt.Sprintf("The resources that are built in are those of Kubernetes %s.", builtin.Version))
	}
	for _, kind := range m.preset {
		gaps = append(gaps, fmt.Sprintf("There are no %s among the manifests; those are shown that an API server of Kubernetes %s creates by itself.", kind.Plural, builtin.Version))
	}
	return gaps
}

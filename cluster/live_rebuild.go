package cluster

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// parts are what the last snapshot was made of. A part whose objects did not change is used again: compiling policies
// because a namespace changed would cost the most, and a resource.Set that stays the same keeps what the policies
// remember about it.
type parts struct {
	policies   cached[policyPart]
	namespaces cached[*namespaces]
	crds       cached[[]*apiextensionsv1.CustomResourceDefinition]
	resources  cached[*resource.Set]
	params     map[watchKey]*cached[paramTable]
	identities cached[Identities]
	// population is the generation of the population.
	population int64
	// apis are the generations of the definitions and the services that a survey depends on.
	apis [2]int64
	// served changes whenever the resources do.
	served int64
}

// policyPart is the policies of a snapshot.
type policyPart struct {
	objects scope.Objects
	set     *scope.Set
}

// cached is a value together with the generations of what it was made of.
type cached[T any] struct {
	made  string
	value T
}

// of returns the value, made anew if the generations are others than those that it was made of.
func (c *cached[T]) of(generations []int64, build func() T) T {
	if key := fmt.Sprint(generations); c.made != key {
		c.made, c.value = key, build()
	}
	return c.value
}

// rebuild makes a snapshot of what has been read so far, and starts and stops watches on the way.
func (l *live) rebuild(ctx context.Context) {
	l.states = map[*watch]watchState{}
	survey, lost := l.lastSurvey()
	l.stopOthers(false, l.followKinds(ctx, survey))
	resources := l.resources(survey)
	policies := l.policies(resources)
	l.stopOthers(true, l.followParams(ctx, policies.objects, resources))

	names := l.namespaces()
	s := &Snapshot{
		Facts: &scope.Facts{
			Namespaces: names, Resources: resources, Params: l.params(), Version: survey.version,
		},
		Policies: policies.set, Namespaces: names.sorted, Identities: l.identities(),
	}
	if survey.mayReview {
		s.Facts.Authorizer = l.authorizer
	}
	s.About = l.about(survey, lost, policies, names)
	populated := l.populate(ctx, s)
	// Whatever else changes shows in About, if only in the time; an attempt that failed again is no news.
	if last := l.Snapshot(); last == nil || populated || !reflect.DeepEqual(last.About, s.About) {
		l.publish(s)
	}
}

// populate puts what has been read of the population into a snapshot, and reports whether it is another than in the
// last one.
func (l *live) populate(ctx context.Context, s *Snapshot) (changed bool) {
	if l.filling == nil {
		return false
	}
	l.filling.follow(ctx, &l.running, s.Policies, s.Facts, l.policiesRead())
	p, generation, last := l.filling.population()
	s.Population = p
	if last.After(s.About.Read) {
		s.About.Read = last
	}
	changed = generation != l.parts.population
	l.parts.population = generation
	return changed
}

// policiesRead reports whether all policies are there that can be read.
func (l *live) policiesRead() bool {
	for _, k := range policyKinds {
		if w := l.watchOf(k); w != nil && !l.state(w).synced && l.state(w).unread() == nil {
			return false
		}
	}
	return true
}

// policies compiles the policies. They may depend on the resources, and on whether there may be objects that are not read.
func (l *live) policies(resources *resource.Set) policyPart {
	madeOf := []int64{l.parts.served}
	for _, k := range policyKinds {
		madeOf = append(madeOf, l.stateOf(k).generation)
		if !l.complete(k.GroupKind) {
			madeOf = append(madeOf, -1)
		}
	}
	return l.parts.policies.of(madeOf, func() policyPart {
		p := policyPart{objects: scope.Objects{
			Of:        map[schema.GroupKind][]runtime.Object{},
			Complete:  l.complete,
			Origin:    func(schema.GroupKind, string, string) string { return l.clients.name },
			Resources: resources,
		}}
		for _, k := range policyKinds {
			for _, i := range l.itemsOf(k) {
				if i.object != nil {
					p.objects.Of[k.GroupKind] = append(p.objects.Of[k.GroupKind], i.object)
				}
			}
		}
		p.set = l.compilers.compile(p.objects)
		return p
	})
}

// complete reports whether all objects of a kind have been read. There are none of a kind that need not be served, and
// is not.
func (l *live) complete(gk schema.GroupKind) bool {
	k, _ := kindOf(gk)
	if optional(k) && l.watchOf(k) == nil {
		return true
	}
	state := l.stateOf(k)
	return state.synced && state.unread() == nil
}

// namespaces indexes the namespaces. They are all there are only once they have been listed.
func (l *live) namespaces() *namespaces {
	state := l.stateOf(namespaceKind)
	return l.parts.namespaces.of([]int64{state.generation}, func() *namespaces {
		var all []*corev1.Namespace
		for _, i := range l.itemsOf(namespaceKind) {
			if ns, ok := i.object.(*corev1.Namespace); ok {
				all = append(all, ns)
			}
		}
		return newNamespaces(all, state.synced)
	})
}

// resources puts the resources of discovery and those of CustomResourceDefinitions together. The latter come from the
// definitions, so that the versions that they do not serve count, too, and come first, because discovery may still
// list a resource as it was before. Most changes of a definition change no resource, and then the set stays the same.
func (l *live) resources(s *survey) *resource.Set {
	crds := l.crds()
	l.noticeAPIs()
	return l.parts.resources.of([]int64{l.stateOf(crdKind).generation, s.generation}, func() *resource.Set {
		defined := map[schema.GroupResource]bool{}
		for _, crd := range crds {
			defined[schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}] = true
		}
		all := slices.Clone(s.resources)
		all = slices.DeleteFunc(all, func(r resource.Resource) bool { return defined[r.GroupVersionResource.GroupResource()] })
		all = append(all, customResources(crds)...)
		last := l.parts.resources.value
		set := resourceSet(last, all)
		if set != last {
			l.parts.served = generations.Add(1)
		}
		return set
	})
}

// crds returns the CustomResourceDefinitions in the order of their names.
func (l *live) crds() []*apiextensionsv1.CustomResourceDefinition {
	return l.parts.crds.of([]int64{l.stateOf(crdKind).generation}, func() []*apiextensionsv1.CustomResourceDefinition {
		var all []*apiextensionsv1.CustomResourceDefinition
		for _, i := range l.itemsOf(crdKind) {
			if crd, ok := i.object.(*apiextensionsv1.CustomResourceDefinition); ok {
				all = append(all, crd)
			}
		}
		slices.SortFunc(all, func(a, b *apiextensionsv1.CustomResourceDefinition) int { return strings.Compare(a.Name, b.Name) })
		return all
	})
}

// noticeAPIs asks for a survey after APIs came or went.
func (l *live) noticeAPIs() {
	for i, k := range []scope.ObjectKind{crdKind, apiServiceKind} {
		state := l.stateOf(k)
		if !state.synced {
			continue
		}
		if before := l.parts.apis[i]; before != 0 && before != state.generation {
			nudge(l.resurvey)
		}
		l.parts.apis[i] = state.generation
	}
}

package cluster

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// watchKey tells watches apart. A kind may be watched twice: because the snapshot is made of it, or of its objects of
// one name, and as parameters, which are kept whole.
type watchKey struct {
	schema.GroupVersionResource
	param bool
}

// followKinds watches the kinds that a snapshot is made of, each in the best version that is served, and returns the
// watches that should go on.
func (l *live) followKinds(ctx context.Context, s *survey) map[watchKey]bool {
	wanted := map[watchKey]bool{}
	for _, k := range l.kinds {
		version, ok := s.serves(k)
		if !ok || !l.matters(s, k) {
			continue
		}
		key := watchKey{k.In(version), false}
		wanted[key] = true
		l.follow(ctx, key, k)
	}
	return wanted
}

// matters reports whether objects of a kind can make a difference. Those of one name are there for the policies of
// custom kinds: nobody has to allow that they are read on a cluster that serves none of these.
func (l *live) matters(s *survey, k scope.ObjectKind) bool {
	if k.Named == "" {
		return true
	}
	beside := l.compilers.beside(k.GroupKind)
	return len(beside) == 0 || slices.ContainsFunc(beside, func(custom scope.ObjectKind) bool {
		_, ok := s.serves(custom)
		return ok
	})
}

// followParams watches the kinds that policies take parameters of, and returns the watches that should go on. Kinds
// that are not served need none: the policies know by the resources that their parameters cannot exist.
func (l *live) followParams(ctx context.Context, o scope.Objects, resources *resource.Set) map[watchKey]bool {
	wanted := map[watchKey]bool{}
	for _, gvk := range l.compilers.paramKinds(o) {
		r, ok := resources.ForKind(gvk)
		if !ok || !r.Served || gvk.GroupKind() == secrets {
			continue
		}
		key := watchKey{r.GroupVersionResource, true}
		wanted[key] = true
		l.follow(ctx, key, scope.ObjectKind{
			GroupKind: gvk.GroupKind(), Resource: r.Resource, Versions: []string{gvk.Version},
			Plural:  r.GroupResource().String(),
			Without: "whether bindings find their parameters is not known",
		})
	}
	return wanted
}

// follow starts a watch unless there is one.
func (l *live) follow(ctx context.Context, key watchKey, k scope.ObjectKind) {
	if l.watches[key] != nil {
		return
	}
	w := newWatch(k, key.GroupVersionResource, l.decoder(key, k), l.changed)
	ctx, w.cancel = context.WithCancel(ctx)
	l.watches[key] = w
	l.running.Go(func() { w.run(ctx, l.clients.dynamic) })
}

// stopOthers stops the watches of one of the two sorts that nobody needs any more. Those of kinds stop before policies are
// made of what is left, those of parameters after that: only then it is known which are taken.
func (l *live) stopOthers(param bool, wanted map[watchKey]bool) {
	for key, w := range l.watches {
		if key.param == param && !wanted[key] {
			w.cancel()
			delete(l.watches, key)
			delete(l.parts.params, key)
		}
	}
}

// watchOf returns the watch of a kind that the snapshot is made of; nil if the kind is not served, or does not matter.
func (l *live) watchOf(k scope.ObjectKind) *watch {
	for _, version := range k.Versions {
		if w := l.watches[watchKey{k.In(version), false}]; w != nil {
			return w
		}
	}
	return nil
}

// state returns how far a watch has come. It is asked once for every snapshot, before the objects are read: a snapshot
// must not say that all are there if they came in while it was made.
func (l *live) state(w *watch) watchState {
	if _, ok := l.states[w]; !ok {
		l.states[w] = w.now()
	}
	return l.states[w]
}

// stateOf returns how far the watch of a kind has come.
func (l *live) stateOf(k scope.ObjectKind) watchState {
	if w := l.watchOf(k); w != nil {
		return l.state(w)
	}
	return watchState{}
}

// itemsOf returns the objects of a kind.
func (l *live) itemsOf(k scope.ObjectKind) []*item {
	if w := l.watchOf(k); w != nil {
		return w.items()
	}
	return nil
}

// params returns the parameters that have been read, or why they have not.
func (l *live) params() *params {
	p := &params{
		tables: map[schema.GroupVersionKind]paramTable{},
		otherwise: func(schema.GroupVersionKind) paramTable {
			return paramTable{reason: "no policy takes them, so they are not read"}
		},
	}
	for key, w := range l.watches {
		if key.param {
			p.tables[w.kind.Decoded()] = l.paramsOf(key, w)
		}
	}
	return p
}

func (l *live) paramsOf(key watchKey, w *watch) paramTable {
	state := l.state(w)
	if why := state.unread(); why != nil {
		return paramTable{reason: "they cannot be read: " + plainly(why)}
	}
	if !state.synced {
		return paramTable{reason: "they are still being read"}
	}
	if l.parts.params == nil {
		l.parts.params = map[watchKey]*cached[paramTable]{}
	}
	if l.parts.params[key] == nil {
		l.parts.params[key] = &cached[paramTable]{}
	}
	return l.parts.params[key].of([]int64{state.generation}, func() paramTable {
		t := paramTable{objects: map[types.NamespacedName]runtime.Object{}}
		for _, i := range w.items() {
			if i.object != nil {
				t.objects[types.NamespacedName{Namespace: i.meta.GetNamespace(), Name: i.meta.GetName()}] = i.object
			}
		}
		return t
	})
}

package cluster

import (
	"context"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// listsAtOnce is how many pages are asked for at the same time. More of them would not fill the population sooner, and
// the API server has others to serve.
const listsAtOnce = 4

// filling keeps the population of a cluster: one follower for each resource writes into its store.
type filling struct {
	opts    PopulationOptions
	store   *coverage.Store
	clients *clients
	changed func()
	// slots bounds the lists that are under way.
	slots chan struct{}
	// writing is held for reading from when content is taken out of objects until it is in the store: a snapshot may
	// make new tables for it, to which such content does not belong.
	writing sync.RWMutex

	mu sync.Mutex
	// newest is the population of the newest snapshot; only what differs from it is news.
	newest *coverage.Population
	// generation changes whenever an object or the state of a follower does.
	generation int64
	// last is when an object changed.
	last time.Time

	// What follows belongs to the goroutine that makes the snapshots.
	facts     *scope.Facts
	policies  *scope.Set
	choices   []choice
	projector *coverage.Projector
	followers map[schema.GroupVersionResource]*follower
	made      Population
	madeOf    int64
}

func newFilling(c *clients, opts PopulationOptions, changed func()) *filling {
	store := coverage.NewStore()
	return &filling{
		opts: opts, store: store, clients: c, changed: changed, slots: make(chan struct{}, listsAtOnce),
		newest: store.Snapshot(), generation: 1, followers: map[schema.GroupVersionResource]*follower{},
	}
}

// follow starts and stops followers, as resources come and go and as policies look at other parts of the objects. As
// long as the policies are not known, nothing is read: it might have to be read again because of them.
func (f *filling) follow(running context.Context, started *sync.WaitGroup, policies *scope.Set, facts *scope.Facts, known bool) {
	resourcesChanged := f.facts == nil || f.facts.Resources != facts.Resources
	if resourcesChanged {
		f.choices = choose(facts.Resources, f.opts)
		f.stopOthers()
		f.note(func() {})
	}
	if known && (resourcesChanged || f.projector == nil || f.policies != policies) {
		f.projector = coverage.NewProjector(f.store, policies.Policies(), facts)
		for _, c := range f.choices {
			if c.leftOut == "" {
				f.ensure(running, started, c.GroupVersionResource)
			}
		}
	}
	f.facts, f.policies = facts, policies
}

// ensure has a resource followed as the policies need it. A follower that reads too little or too much is replaced; what
// it has read stays until the other one has read it again.
func (f *filling) ensure(running context.Context, started *sync.WaitGroup, gvr schema.GroupVersionResource) {
	sees := sight{needs: f.projector.Needs(gvr), fingerprint: f.projector.Fingerprint(gvr)}
	before := f.followers[gvr]
	if before != nil && before.sees == sees {
		before.projector.Store(f.projector)
		return
	}
	if before != nil {
		f.stop(before)
	}
	w := &follower{filling: f, gvr: gvr, sees: sees, reader: f.clients.metadata, pageSize: metadataPage}
	if sees.needs == coverage.NeedsObject && f.opts.Depth == PopulationFull && gvr.GroupResource() != secretResource {
		w.reader, w.pageSize = f.clients.objects, objectPage
	}
	w.projector.Store(f.projector)
	ctx, cancel := context.WithCancel(running)
	w.cancel = cancel
	f.followers[gvr] = w
	started.Go(func() { w.run(ctx) })
}

// stopOthers ends the followers of resources that are not served any more, and forgets their objects.
func (f *filling) stopOthers() {
	served := map[schema.GroupVersionResource]bool{}
	for _, c := range f.choices {
		served[c.GroupVersionResource] = c.leftOut == ""
	}
	for gvr, w := range f.followers {
		if !served[gvr] {
			f.stop(w)
			f.note(func() { f.store.Forget(gvr) })
			delete(f.followers, gvr)
		}
	}
}

// stop ends a follower. What it still has in its hands does not reach the store any more.
func (f *filling) stop(w *follower) {
	f.note(func() { w.stopped = true })
	w.cancel()
}

// note changes something that a snapshot tells of.
func (f *filling) note(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	f.generation++
}

// take keeps of objects what the population has of them, and returns that. It is the only way into the store.
func (f *filling) take(by *follower, objects ...runtime.Object) []coverage.Object {
	f.writing.RLock()
	defer f.writing.RUnlock()
	kept := by.project(objects)
	f.put(by, kept)
	return kept
}

// arrived reports whether every follower has read its objects, or cannot. It belongs to the goroutine that makes the
// snapshots.
func (f *filling) arrived() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.followers {
		if state, _ := w.state.says(); state == Reading {
			return false
		}
	}
	return len(f.followers) > 0
}

// put writes objects into the store. Most events of a cluster change no label, and are no news.
func (f *filling) put(by *follower, objects []coverage.Object) {
	f.mu.Lock()
	if by.stopped {
		f.mu.Unlock()
		return
	}
	news := false
	for _, o := range objects {
		news = news || f.differs(o)
		f.store.Put(o)
	}
	f.touched(news)
	f.mu.Unlock()
	if news {
		f.changed()
	}
}

// differs reports whether an object is another than in the newest snapshot.
func (f *filling) differs(o coverage.Object) bool {
	was, ok := f.newest.Find(o.Resource, o.Namespace, o.Name)
	return !ok || was.Content != o.Content || !maps.Equal(was.Labels, o.Labels)
}

// remove takes objects out of the store.
func (f *filling) remove(by *follower, keys ...objectName) {
	f.mu.Lock()
	if by.stopped || len(keys) == 0 {
		f.mu.Unlock()
		return
	}
	for _, k := range keys {
		f.store.Delete(by.gvr, k.namespace, k.name)
	}
	f.touched(true)
	f.mu.Unlock()
	f.changed()
}

// touched takes down that objects changed.
func (f *filling) touched(news bool) {
	if news {
		f.generation++
		f.last = time.Now()
	}
}

// objectName is a namespace and a name.
type objectName struct{ namespace, name string }

// present lists the objects of a resource that have been read before.
func (f *filling) present(gvr schema.GroupVersionResource) map[objectName]struct{} {
	names := map[objectName]struct{}{}
	for o := range f.snapshot().Objects(gvr) {
		names[objectName{o.Namespace, o.Name}] = struct{}{}
	}
	return names
}

// snapshot returns the objects as they are now.
func (f *filling) snapshot() *coverage.Population {
	f.writing.Lock()
	defer f.writing.Unlock()
	return f.store.Snapshot()
}

// population returns what has been read so far, with its generation and the time of the last change.
func (f *filling) population() (p Population, generation int64, last time.Time) {
	f.writing.Lock()
	defer f.writing.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.madeOf != f.generation {
		f.newest = f.store.Snapshot()
		f.made, f.madeOf = Population{Population: f.newest}, f.generation
		for _, c := range f.choices {
			f.made.Resources = append(f.made.Resources, f.resource(c))
		}
	}
	return f.made, f.generation, f.last
}

// resource says how far the objects of a resource have been read.
func (f *filling) resource(c choice) PopulationResource {
	r := PopulationResource{GroupVersionResource: c.GroupVersionResource, State: Reading, Objects: f.newest.Count(c.GroupVersionResource)}
	w := f.followers[c.GroupVersionResource]
	switch {
	case c.leftOut != "":
		r.State, r.Why = LeftOut, c.leftOut
	case w != nil:
		r.State, r.Why = w.state.says()
		if r.State == Read && f.opts.Depth == PopulationMetadata && w.sees.needs == coverage.NeedsObject {
			r.Why = "Only the metadata are read; what match conditions read beside them is not known."
		}
	}
	return r
}

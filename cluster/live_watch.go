package cluster

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// watch follows the objects of one kind.
//
// It is the reading half of an informer, client-go's Reflector, with a store of its own behind it. A snapshot has no
// use for the other half, which queues every event for handlers; and only a bare Reflector lets us bound how long it
// waits before it tries again, which is what a page is stale for after the API server was away.
type watch struct {
	kind    kind
	gvr     schema.GroupVersionResource
	decode  func(*unstructured.Unstructured) *item
	changed func()
	cancel  context.CancelFunc
	store   cache.Store
	// wrong belongs to the goroutine that makes the snapshots.
	wrong cached[[]manifest.Problem]

	mu    sync.Mutex
	state watchState
}

// watchState is how far a watch has come.
type watchState struct {
	// generation changes whenever the objects do, and is another one for every watch.
	generation int64
	// received counts the objects that came in, for the time until all are there.
	received int
	// synced says that all objects have been there once.
	synced bool
	// failure is why the last attempt to list or to watch failed, if it did.
	failure failure
	// last is when an object changed.
	last time.Time
}

// retry is how long a watch waits before it tries again. The longest wait is short, because a page is stale for that
// long after the API server came back.
var retry = wait.Backoff{Duration: 500 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 5, Cap: 4 * time.Second}

// forbiddenWait is how much longer it waits after it was refused: permissions change rarely, and every refusal is a
// line in somebody's audit log.
const forbiddenWait = 30 * time.Second

// newWatch prepares a watch of a kind in one version.
func newWatch(k kind, gvr schema.GroupVersionResource, decode func(*unstructured.Unstructured) *item, changed func()) *watch {
	w := &watch{kind: k, gvr: gvr, decode: decode, changed: changed}
	w.store = cache.NewStore(cache.MetaNamespaceKeyFunc, cache.WithTransformer(w.transform))
	return w
}

// run follows the objects until the context ends. The Reflector must not log: what it would say is in the state.
func (w *watch) run(ctx context.Context, client dynamic.Interface) {
	reflector := cache.NewReflectorWithOptions(w.listerWatcher(client), &unstructured.Unstructured{}, watchStore{w}, cache.ReflectorOptions{
		Name: w.gvr.String(), Backoff: &retry, Logger: &silent,
	})
	reflector.RunWithContext(klog.NewContext(ctx, silent))
}

// generations numbers all changes of all watches, so that two numbers are the same only if nothing changed.
var generations atomic.Int64

// silent is a logger that says nothing.
var silent = klog.New(nil)

// listerWatcher reads the objects and writes down how each attempt went.
func (w *watch) listerWatcher(client dynamic.Interface) cache.ListerWatcher {
	resource := client.Resource(w.gvr)
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			list, err := resource.List(ctx, o)
			w.attempted(ctx, err)
			hold(ctx, err)
			return list, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
			events, err := resource.Watch(ctx, o)
			w.attempted(ctx, err)
			if o.SendInitialEvents == nil { // Otherwise the Reflector asks for a plain list at once, which may be allowed.
				hold(ctx, err)
			}
			return events, err
		},
	}, client)
}

// hold waits if an attempt was refused.
func hold(ctx context.Context, err error) {
	if !apierrors.IsForbidden(err) {
		return
	}
	select {
	case <-time.After(forbiddenWait):
	case <-ctx.Done():
	}
}

// attempted writes down how an attempt to list or to watch went. That a resource version is too old, or that the
// server cannot stream a list, is no failure: the Reflector goes on with another request.
func (w *watch) attempted(ctx context.Context, err error) {
	if ctx.Err() != nil || apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || apierrors.IsInvalid(err) {
		return
	}
	w.mu.Lock()
	news := w.state.failure.note(err)
	w.mu.Unlock()
	if news {
		w.changed()
	}
}

// failure is an error that goes on.
type failure struct {
	err   error
	since time.Time
}

// note takes down how another attempt went, and reports whether it went differently.
func (f *failure) note(err error) (news bool) {
	before := f.err
	f.err = err
	if err != nil && before == nil {
		f.since = time.Now()
	}
	return (err == nil) != (before == nil) || err != nil && err.Error() != before.Error()
}

// transform decodes an object when it comes in. It leaves items alone, because a list passes here twice.
func (w *watch) transform(obj any) (any, error) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return obj, nil
	}
	w.mu.Lock()
	w.state.received++
	syncing := !w.state.synced
	w.mu.Unlock()
	if syncing {
		w.changed()
	}
	u.SetManagedFields(nil)
	return w.decode(u), nil
}

// touched writes down that the objects changed.
func (w *watch) touched(synced bool) {
	w.mu.Lock()
	w.state.generation = generations.Add(1)
	w.state.synced = w.state.synced || synced
	w.state.last = time.Now()
	w.mu.Unlock()
	w.changed()
}

// now returns how far the watch has come. Objects read afterwards are at least as new.
func (w *watch) now() watchState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// items returns the objects of one moment, in no order.
func (w *watch) items() []*item {
	all := w.store.List()
	items := make([]*item, 0, len(all))
	for _, obj := range all {
		items = append(items, obj.(*item))
	}
	return items
}

// problems returns what could not be decoded, as of a generation of the objects.
func (w *watch) problems(generation int64) []manifest.Problem {
	return w.wrong.of([]int64{generation}, func() []manifest.Problem {
		var problems []manifest.Problem
		for _, i := range w.items() {
			problems = append(problems, i.problems...)
		}
		slices.SortFunc(problems, func(a, b manifest.Problem) int { return strings.Compare(a.Message, b.Message) })
		return problems
	})
}

// watchStore is where the Reflector puts what it reads.
type watchStore struct{ *watch }

// Transformer implements cache.TransformingStore.
func (s watchStore) Transformer() cache.TransformFunc { return s.transform }

// Add implements cache.ReflectorStore.
func (s watchStore) Add(obj any) error {
	defer s.touched(false)
	return s.store.Add(obj)
}

// Update implements cache.ReflectorStore.
func (s watchStore) Update(obj any) error {
	defer s.touched(false)
	return s.store.Update(obj)
}

// Delete implements cache.ReflectorStore.
func (s watchStore) Delete(obj any) error {
	defer s.touched(false)
	return s.store.Delete(obj)
}

// Replace implements cache.ReflectorStore; it comes with the first complete list and every later one.
func (s watchStore) Replace(all []any, version string) error {
	defer s.touched(true)
	return s.store.Replace(all, version)
}

// Resync implements cache.ReflectorStore.
func (s watchStore) Resync() error { return nil }

package cluster

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// watch follows the objects of one kind with a shared informer, and keeps account of how that goes.
type watch struct {
	kind    scope.ObjectKind
	gvr     schema.GroupVersionResource
	decode  func(*unstructured.Unstructured) *item
	changed func()
	cancel  context.CancelFunc
	// informer is there as soon as the watch runs.
	informer atomic.Pointer[cache.SharedIndexInformer]
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

// retryWait is how long a watch waits before it asks again after an error. It is short and does not grow, because a page
// is stale for that long after the API server came back; an informer left to itself would soon wait for half a minute.
const retryWait = 4 * time.Second

// forbiddenWait is how much longer it waits after it was refused: permissions change rarely, and every refusal is a
// line in somebody's audit log.
const forbiddenWait = 30 * time.Second

// newWatch prepares a watch of a kind in one version.
func newWatch(k scope.ObjectKind, gvr schema.GroupVersionResource, decode func(*unstructured.Unstructured) *item, changed func()) *watch {
	return &watch{kind: k, gvr: gvr, decode: decode, changed: changed}
}

// run follows the objects until the context ends. The informer must not log: what it would say is in the state.
func (w *watch) run(ctx context.Context, client dynamic.Interface) {
	informer := cache.NewSharedIndexInformer(w.listerWatcher(client), &unstructured.Unstructured{}, 0, cache.Indexers{})
	moved := func() { w.touched(false) }
	handled, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { moved() }, UpdateFunc: func(any, any) { moved() }, DeleteFunc: func(any) { moved() },
	})
	for _, next := range []error{
		err,
		informer.SetTransform(w.transform),
		informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {}),
	} {
		if next != nil { // Only an informer that runs already refuses these, and this one does not.
			panic(next)
		}
	}
	w.informer.Store(&informer)
	var following sync.WaitGroup
	following.Go(func() { informer.RunWithContext(klog.NewContext(ctx, silent)) })
	following.Go(func() {
		select {
		case <-handled.HasSyncedChecker().Done(): // After the last of the events for what was there already.
			w.touched(true)
		case <-ctx.Done():
		}
	})
	following.Wait()
}

// generations numbers all changes of all watches, so that two numbers are the same only if nothing changed.
var generations atomic.Int64

// silent is a logger that says nothing.
var silent = klog.New(nil)

// listerWatcher reads the objects, writes down how each attempt went, and tries again itself after an error.
func (w *watch) listerWatcher(client dynamic.Interface) cache.ListerWatcher {
	resource := client.Resource(w.gvr)
	only := ""
	if w.kind.Named != "" {
		only = fields.OneTermEqualSelector(metav1.ObjectNameField, w.kind.Named).String()
	}
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.FieldSelector = only
			return persist(ctx, w, func() (runtime.Object, error) { return resource.List(ctx, o) })
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
			o.FieldSelector = only
			if o.SendInitialEvents != nil { // The informer asks for a plain list at once if this is refused.
				events, err := openWatch(resource.Watch(ctx, o))
				w.attempted(ctx, err)
				return events, err
			}
			return persist(ctx, w, func() (apiwatch.Interface, error) { return openWatch(resource.Watch(ctx, o)) })
		},
	}, client)
}

// errHungUp says that something took the connection and closed it, as a load balancer does whose servers are away.
var errHungUp = errors.New("the connection is closed at once")

// openWatch turns a watch that has ended before it began into an error. The REST client returns one where the
// connection was closed without an answer, and it looks like a success (k8s.io/client-go/rest, Request.Watch).
func openWatch(events apiwatch.Interface, err error) (apiwatch.Interface, error) {
	if err == nil && reflect.TypeOf(events) == reflect.TypeOf(apiwatch.NewEmptyWatch()) {
		return nil, errHungUp
	}
	return events, err
}

// persist asks until there is an answer, or an error after which the informer has to go on in another way.
func persist[T any](ctx context.Context, w *watch, ask func() (T, error)) (T, error) {
	for hungUp := false; ; {
		answer, err := ask()
		if errors.Is(err, errHungUp) && !hungUp { // A server that sheds connections hangs up once, and means nothing by it.
			hungUp = true
			continue
		}
		w.attempted(ctx, err)
		if err == nil || elsewise(err) {
			return answer, err
		}
		pause := wait.Jitter(retryWait, 0.5)
		if apierrors.IsForbidden(err) {
			pause = forbiddenWait
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return answer, ctx.Err()
		}
	}
}

// elsewise reports an error that is no failure: that a resource version is too old, or that the server cannot stream a
// list. The informer goes on with another request.
func elsewise(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || apierrors.IsInvalid(err)
}

// attempted writes down how an attempt to list or to watch went.
func (w *watch) attempted(ctx context.Context, err error) {
	if ctx.Err() != nil || elsewise(err) {
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
	informer := w.informer.Load()
	if informer == nil {
		return nil
	}
	all := (*informer).GetStore().List()
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

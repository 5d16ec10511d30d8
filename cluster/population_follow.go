package cluster

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// How many objects a page has. An object may have a megabyte, so pages of whole ones are small.
const (
	metadataPage = 500
	objectPage   = 100
)

// answerTimeout is how long a follower waits for a page, or for a watch to open. An aggregated API server that is
// there and does not answer would otherwise hold it for ever.
const answerTimeout = 30 * time.Second

// slotTime is how long a page counts among those that are under way. One that takes longer waits for a server of its
// own, and must not hold up the others.
const slotTime = 2 * time.Second

// The API server ends a watch after a time between this and its double, so that not all watches end together.
const watchTime = 5 * time.Minute

// secretResource are the objects of which nothing but the metadata is ever asked for.
var secretResource = schema.GroupResource{Resource: "secrets"}

// sight is what the policies look at of the objects of a resource.
type sight struct {
	needs       coverage.Need
	fingerprint string
}

// follower reads the objects of one resource page by page, and then follows their changes. It holds on to none of them:
// an informer would keep a second population.
type follower struct {
	filling   *filling
	gvr       schema.GroupVersionResource
	sees      sight
	reader    reader
	pageSize  int64
	projector atomic.Pointer[coverage.Projector]
	cancel    context.CancelFunc

	// What follows is under the lock of the filling.
	stopped bool
	state   followState
}

// run follows the objects until the context ends.
func (w *follower) run(ctx context.Context) {
	for ctx.Err() == nil {
		version, err := w.list(ctx)
		w.attempted(ctx, err)
		if err != nil {
			linger(ctx, pauseAfter(err))
			continue
		}
		w.keepWatching(ctx, version)
		linger(ctx, time.Second)
	}
}

// list reads all objects, and removes those that are not there any more. It returns the version from which a watch
// goes on.
func (w *follower) list(ctx context.Context) (version string, err error) {
	gone := w.filling.present(w.gvr)
	o := metav1.ListOptions{Limit: w.pageSize}
	for {
		p, err := w.page(ctx, o)
		if err != nil {
			return "", err
		}
		for _, o := range w.filling.take(w, p.objects...) {
			delete(gone, objectName{o.Namespace, o.Name})
		}
		if p.next == "" {
			w.filling.remove(w, slices.Collect(maps.Keys(gone))...)
			w.listed()
			return p.version, nil
		}
		o.Continue = p.next
	}
}

// page reads a page in its turn.
func (w *follower) page(ctx context.Context, o metav1.ListOptions) (page, error) {
	select {
	case w.filling.slots <- struct{}{}:
	case <-ctx.Done():
		return page{}, ctx.Err()
	}
	leave := sync.OnceFunc(func() { <-w.filling.slots })
	defer leave()
	defer time.AfterFunc(slotTime, leave).Stop()

	asking, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	p, err := w.reader.list(asking, w.gvr, o)
	if err != nil && asking.Err() != nil && ctx.Err() == nil {
		err = errSilent
	}
	return p, err
}

// errSilent says that there was no answer in time.
var errSilent = fmt.Errorf("there is no answer within %s", answerTimeout)

// project keeps of objects what the population has of them.
func (w *follower) project(objects []runtime.Object) []coverage.Object {
	projector := w.projector.Load()
	all := make([]coverage.Object, 0, len(objects))
	for _, object := range objects {
		m, err := meta.Accessor(object)
		if err != nil {
			continue
		}
		all = append(all, coverage.Object{
			Resource: w.gvr, Namespace: m.GetNamespace(), Name: m.GetName(), Labels: m.GetLabels(),
			Content: projector.Project(w.gvr, object),
		})
	}
	return all
}

// keepWatching follows the changes since a version, through as many watches as it takes, until the objects have to be
// listed again.
func (w *follower) keepWatching(ctx context.Context, version string) {
	for ctx.Err() == nil {
		began := time.Now()
		var err error
		version, err = w.watch(ctx, version)
		if outdated(err) {
			return
		}
		switch {
		case err != nil:
			w.attempted(ctx, err)
			linger(ctx, pauseAfter(err))
		case time.Since(began) < time.Second: // A server that ends watches at once must not be asked in a loop.
			linger(ctx, time.Second)
		}
	}
}

// outdated reports an error after which a watch cannot go on where it was.
func outdated(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || apierrors.IsNotFound(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

// watch follows the changes through one watch and returns the version that it came to.
func (w *follower) watch(ctx context.Context, version string) (string, error) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	seconds := int64((watchTime + rand.N(watchTime)) / time.Second)
	silent := time.AfterFunc(answerTimeout, cancel)
	events, err := openWatch(w.reader.watch(asking, w.gvr, metav1.ListOptions{
		ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds,
	}))
	if !silent.Stop() && ctx.Err() == nil {
		if err == nil {
			events.Stop()
		}
		return version, errSilent
	}
	if err != nil {
		return version, err
	}
	defer events.Stop()
	w.attempted(ctx, nil)
	for {
		select {
		case <-ctx.Done():
			return version, ctx.Err()
		case event, open := <-events.ResultChan():
			if !open {
				return version, nil
			}
			if event.Type == apiwatch.Error {
				return version, apierrors.FromObject(event.Object)
			}
			version = w.take(event, version)
		}
	}
}

// take takes in one event and returns the version that it brings.
func (w *follower) take(event apiwatch.Event, version string) string {
	m, err := meta.Accessor(event.Object)
	if err != nil {
		return version
	}
	switch event.Type {
	case apiwatch.Added, apiwatch.Modified:
		w.filling.take(w, event.Object)
	case apiwatch.Deleted:
		w.filling.remove(w, objectName{m.GetNamespace(), m.GetName()})
	}
	return m.GetResourceVersion()
}

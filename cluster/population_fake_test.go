package cluster

import (
	"context"
	"strconv"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiwatch "k8s.io/apimachinery/pkg/watch"
)

// fakePage is the most that a page of a fake cluster has, so that few objects make several pages.
const fakePage = 2

// fakeReader reads the population of a fake cluster.
type fakeReader struct {
	*fakeCluster
	whole bool
}

// answer waits as long as the cluster lets one wait, and writes down what was asked.
func (r fakeReader) answer(ctx context.Context, gvr schema.GroupVersionResource) error {
	r.mu.Lock()
	what := "metadata of "
	if r.whole {
		what = "whole "
	}
	r.asked[what+gvr.Resource] = true
	hanging := r.hanging[gvr.Resource]
	r.mu.Unlock()
	if hanging {
		<-ctx.Done()
	}
	return ctx.Err()
}

func (r fakeReader) list(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (page, error) {
	if err := r.answer(ctx, gvr); err != nil {
		return page{}, err
	}
	l, err := r.dynamic.Resource(gvr).List(ctx, metav1.ListOptions{})
	if err != nil {
		return page{}, err
	}
	if o.Continue != "" && r.expires(gvr.Resource) {
		return page{}, apierrors.NewResourceExpired("the continue token is too old")
	}
	from, _ := strconv.Atoi(o.Continue)
	to := min(len(l.Items), from+min(int(o.Limit), fakePage))
	p := page{version: "1"}
	for i := from; i < to; i++ {
		p.objects = append(p.objects, r.seen(&l.Items[i]))
	}
	if to < len(l.Items) {
		p.next = strconv.Itoa(to)
	}
	return p, nil
}

// expires reports, once, that the rest of a list is not there any more.
func (r fakeReader) expires(resource string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	expired := r.expiring[resource]
	delete(r.expiring, resource)
	return expired
}

// seen is an object as the API server sends it.
func (r fakeReader) seen(u *unstructured.Unstructured) runtime.Object {
	if r.whole {
		return u
	}
	p := &metav1.PartialObjectMetadata{}
	metadata := map[string]any{"metadata": u.Object["metadata"]}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(metadata, p); err != nil {
		panic(err)
	}
	return p
}

func (r fakeReader) watch(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (apiwatch.Interface, error) {
	if err := r.answer(ctx, gvr); err != nil {
		return nil, err
	}
	events, err := r.dynamic.Resource(gvr).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	cut := make(chan apiwatch.Event, 1)
	r.set(func() { r.cut[gvr.Resource] = cut })
	out := make(chan apiwatch.Event)
	w := apiwatch.NewProxyWatcher(out)
	go r.forward(w, events, cut, out)
	return w, nil
}

// forward passes events on until the watch is stopped, or cut with a last event.
func (r fakeReader) forward(w *apiwatch.ProxyWatcher, events apiwatch.Interface, cut <-chan apiwatch.Event, out chan<- apiwatch.Event) {
	defer events.Stop()
	defer close(out)
	send := func(event apiwatch.Event) {
		select {
		case out <- event:
		case <-w.StopChan():
		}
	}
	for {
		select {
		case <-w.StopChan():
			return
		case last := <-cut:
			send(last)
			return
		case event := <-events.ResultChan():
			event.Object = r.seen(event.Object.(*unstructured.Unstructured))
			send(event)
		}
	}
}

// end ends the watch of a resource with an error.
func (f *fakeCluster) end(resource string, err *apierrors.StatusError) {
	status := err.Status()
	f.set(func() { f.cut[resource] <- apiwatch.Event{Type: apiwatch.Error, Object: &status} })
}

// onPopulated follows a fake cluster together with its population.
func onPopulated(t *testing.T, o PopulationOptions, test func(t *testing.T, f *fakeCluster, l *live), prepare func(t *testing.T) *fakeCluster) {
	t.Helper()
	onFake(t, test, func(t *testing.T) *fakeCluster {
		f := prepare(t)
		f.options = liveOptions{population: o}
		return f
	})
}

// wantState holds how far a resource has been read, and how many of its objects there are.
func wantState(t *testing.T, l *live, resource string, want ReadState, objects int) (why string) {
	t.Helper()
	for _, r := range l.Snapshot().Population.Resources {
		if r.GroupResource().String() == resource {
			if r.State != want || r.Objects != objects {
				t.Errorf("%s: %d objects, %s (%s), want %d, %s", resource, r.Objects, r.State, r.Why, objects, want)
			}
			return r.Why
		}
	}
	if want != "" {
		t.Errorf("%s is not in the population", resource)
	}
	return ""
}

// podLabels returns the labels of a Pod in the population, and whether it is there.
func podLabels(l *live, namespace, name string) (map[string]string, bool) {
	o, ok := l.Snapshot().Population.Find(pods, namespace, name)
	return o.Labels, ok
}

// discovered is a resource as discovery lists it.
func discovered(name string, verbs ...string) metav1.APIResource {
	return metav1.APIResource{Name: name, Kind: "Kind" + name, Namespaced: true, Verbs: verbs}
}

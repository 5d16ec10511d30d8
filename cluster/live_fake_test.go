package cluster

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/version"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"
)

// The error handlers of client-go keep back errors that follow each other quickly. The time of the last one is global,
// and in the virtual time of a test it may be decades away.
func init() { utilruntime.ErrorHandlers = nil }

// fakeCluster is an API server as far as a live source can tell.
type fakeCluster struct {
	t       *testing.T
	dynamic *dynamicfake.FakeDynamicClient
	reviews *kubefake.Clientset

	mu        sync.Mutex
	version   string
	served    []*metav1.APIResourceList
	discovery error
	// failing has the error for each resource that cannot be listed and watched.
	failing map[string]error
	// hanging are the resources of which nothing is answered, and cut ends the watches of those in it.
	hanging map[string]bool
	cut     map[string]chan apiwatch.Event
	// expiring are the resources whose next list takes too long for its second page.
	expiring map[string]bool
	// asked are the resources whose metadata or whole objects were read for the population.
	asked map[string]bool
	// allowed says that SubjectAccessReviews are answered.
	allowed bool
	options liveOptions
}

// newFakeCluster makes a cluster that serves what every API server does, with some objects in it.
func newFakeCluster(t *testing.T, manifests ...string) *fakeCluster {
	f := &fakeCluster{t: t, version: "v1.37.2", failing: map[string]error{}, hanging: map[string]bool{}, cut: map[string]chan apiwatch.Event{}, asked: map[string]bool{}, expiring: map[string]bool{}, allowed: true}
	kinds := map[schema.GroupVersionResource]string{}
	for _, k := range watchedKinds {
		for _, v := range k.Versions {
			kinds[k.In(v)] = k.Kind + "List"
		}
		f.serve(k.In(k.Versions[0]).GroupVersion().String(), metav1.APIResource{Name: k.Resource, Kind: k.Kind})
	}
	for resource, kind := range map[string]string{"configmaps": "ConfigMap", "secrets": "Secret", "pods": "Pod", "events": "Event"} {
		kinds[schema.GroupVersionResource{Version: "v1", Resource: resource}] = kind + "List"
		f.serve("v1", metav1.APIResource{Name: resource, Kind: kind, Namespaced: true})
	}
	kinds[schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}] = "DeploymentList"
	kinds[schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "limits"}] = "LimitList"
	f.serve("apps/v1", metav1.APIResource{Name: "deployments", Kind: "Deployment", Namespaced: true},
		metav1.APIResource{Name: "deployments/scale", Group: "autoscaling", Version: "v1", Kind: "Scale", Namespaced: true})

	f.dynamic = dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds)
	for _, m := range manifests {
		f.create(m)
	}
	f.reviews = kubefake.NewClientset()
	f.reviews.PrependReactor("create", "selfsubjectaccessreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		return true, &authorizationv1.SelfSubjectAccessReview{Status: authorizationv1.SubjectAccessReviewStatus{Allowed: f.allowed}}, nil
	})
	f.dynamic.PrependReactor("list", "*", func(a clienttesting.Action) (bool, runtime.Object, error) {
		if err := f.failure(a); err != nil {
			return true, nil, err
		}
		return f.listNamed(a.(clienttesting.ListActionImpl))
	})
	f.dynamic.PrependWatchReactor("*", func(a clienttesting.Action) (bool, apiwatch.Interface, error) {
		if err := f.failure(a); err != nil {
			return true, nil, err
		}
		return f.watchNamed(a.(clienttesting.WatchActionImpl))
	})
	return f
}

// listNamed lists the objects of one name, which the fake client does not know how to.
func (f *fakeCluster) listNamed(a clienttesting.ListActionImpl) (bool, runtime.Object, error) {
	name, ok := a.ListRestrictions.Fields.RequiresExactMatch(metav1.ObjectNameField)
	if !ok {
		return false, nil, nil
	}
	list, err := f.dynamic.Tracker().List(a.Resource, a.Kind, a.Namespace)
	if err != nil {
		return true, nil, err
	}
	all := list.(*unstructured.UnstructuredList)
	all.Items = slices.DeleteFunc(all.Items, func(u unstructured.Unstructured) bool { return u.GetName() != name })
	return true, all, nil
}

// watchNamed watches the objects of one name.
func (f *fakeCluster) watchNamed(a clienttesting.WatchActionImpl) (bool, apiwatch.Interface, error) {
	name, ok := a.WatchRestrictions.Fields.RequiresExactMatch(metav1.ObjectNameField)
	if !ok {
		return false, nil, nil
	}
	events, err := f.dynamic.Tracker().Watch(a.Resource, a.Namespace)
	if err != nil {
		return true, nil, err
	}
	return true, apiwatch.Filter(events, func(e apiwatch.Event) (apiwatch.Event, bool) {
		u, ok := e.Object.(*unstructured.Unstructured)
		return e, ok && u.GetName() == name
	}), nil
}

func (f *fakeCluster) failure(a clienttesting.Action) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failing[a.GetResource().Resource]
}

// serve adds resources to what discovery lists.
func (f *fakeCluster) serve(groupVersion string, resources ...metav1.APIResource) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.served, func(l *metav1.APIResourceList) bool { return l.GroupVersion == groupVersion })
	if i < 0 {
		i = len(f.served)
		f.served = append(f.served, &metav1.APIResourceList{GroupVersion: groupVersion})
	}
	f.served[i] = &metav1.APIResourceList{GroupVersion: groupVersion, APIResources: append(slices.Clone(f.served[i].APIResources), resources...)}
}

// drop removes a resource from what discovery lists.
func (f *fakeCluster) drop(resource string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, l := range f.served {
		kept := slices.DeleteFunc(slices.Clone(l.APIResources), func(r metav1.APIResource) bool { return r.Name == resource })
		f.served[i] = &metav1.APIResourceList{GroupVersion: l.GroupVersion, APIResources: kept}
	}
}

// set changes the cluster under its lock.
func (f *fakeCluster) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

// ServerVersionWithContext implements discoverer.
func (f *fakeCluster) ServerVersionWithContext(context.Context) (*version.Info, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &version.Info{GitVersion: f.version}, nil
}

// ServerGroupsAndResourcesWithContext implements discoverer.
func (f *fakeCluster) ServerGroupsAndResourcesWithContext(context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return nil, slices.Clone(f.served), f.discovery
}

func (f *fakeCluster) clients() *clients {
	return &clients{name: "cluster fake", discovery: f, dynamic: f.dynamic, reviews: f.reviews.AuthorizationV1(), metadata: fakeReader{f, false}, objects: fakeReader{f, true}}
}

// each calls do with every object of a manifest and its resource.
func (f *fakeCluster) each(manifest string, do func(schema.GroupVersionResource, *unstructured.Unstructured) error) {
	f.t.Helper()
	for _, text := range strings.Split(manifest, "\n---\n") {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
			f.t.Fatal(err)
		}
		gvk := u.GroupVersionKind()
		resource := strings.ToLower(gvk.Kind) + "s"
		if k, ok := kindOf(gvk.GroupKind()); ok {
			resource = k.Resource
		}
		if err := do(gvk.GroupVersion().WithResource(resource), u); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *fakeCluster) create(manifest string) {
	f.t.Helper()
	f.each(manifest, func(gvr schema.GroupVersionResource, u *unstructured.Unstructured) error {
		_, err := f.dynamic.Resource(gvr).Namespace(u.GetNamespace()).Create(f.t.Context(), u, metav1.CreateOptions{})
		return err
	})
}

func (f *fakeCluster) update(manifest string) {
	f.t.Helper()
	f.each(manifest, func(gvr schema.GroupVersionResource, u *unstructured.Unstructured) error {
		_, err := f.dynamic.Resource(gvr).Namespace(u.GetNamespace()).Update(f.t.Context(), u, metav1.UpdateOptions{})
		return err
	})
}

func (f *fakeCluster) delete(manifest string) {
	f.t.Helper()
	f.each(manifest, func(gvr schema.GroupVersionResource, u *unstructured.Unstructured) error {
		return f.dynamic.Resource(gvr).Namespace(u.GetNamespace()).Delete(f.t.Context(), u.GetName(), metav1.DeleteOptions{})
	})
}

// forbidden is what an API server says to who may not read a resource.
func forbidden(resource string) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", nil)
}

// unreachable is what a client says when nobody answers.
var unreachable = apierrors.NewGenericServerResponse(http.StatusServiceUnavailable, "list", schema.GroupResource{}, "", "nobody answers", 0, true)

// pass lets time pass, until everybody waits for what comes next.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// onFake follows a fake cluster in virtual time, and afterwards waits for all goroutines to end.
func onFake(t *testing.T, test func(t *testing.T, f *fakeCluster, l *live), prepare func(t *testing.T) *fakeCluster) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := prepare(t)
		ctx, cancel := context.WithCancel(t.Context())
		l, err := startLive(ctx, f.clients(), watchedKinds, f.options)
		if err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		test(t, f, l)
		cancel()
		l.running.Wait()
	})
}

func wantGap(t *testing.T, s *Snapshot, prefix string) {
	t.Helper()
	if !slices.ContainsFunc(s.About.Gaps, func(gap string) bool { return strings.HasPrefix(gap, prefix) }) {
		t.Errorf("gaps are %q, want %q", s.About.Gaps, prefix)
	}
}

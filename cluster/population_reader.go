package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
)

// reader lists and watches the objects of any resource.
type reader interface {
	list(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (page, error)
	watch(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (apiwatch.Interface, error)
}

// page is a part of a list.
type page struct {
	objects []runtime.Object
	// version is that of the list, from which a watch goes on.
	version string
	// next asks for the rest; it is empty if there is none.
	next string
}

// metadataReader reads nothing but metadata: the API server does not send the rest.
type metadataReader struct{ metadata.Interface }

func (r metadataReader) list(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (page, error) {
	l, err := r.Resource(gvr).List(ctx, o)
	if err != nil {
		return page{}, err
	}
	p := page{objects: make([]runtime.Object, len(l.Items)), version: l.ResourceVersion, next: l.Continue}
	for i := range l.Items {
		p.objects[i] = &l.Items[i]
	}
	return p, nil
}

func (r metadataReader) watch(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (apiwatch.Interface, error) {
	return r.Resource(gvr).Watch(ctx, o)
}

// objectReader reads whole objects.
type objectReader struct{ dynamic.Interface }

func (r objectReader) list(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (page, error) {
	l, err := r.Resource(gvr).List(ctx, o)
	if err != nil {
		return page{}, err
	}
	p := page{objects: make([]runtime.Object, len(l.Items)), version: l.GetResourceVersion(), next: l.GetContinue()}
	for i := range l.Items {
		p.objects[i] = &l.Items[i]
	}
	return p, nil
}

func (r objectReader) watch(ctx context.Context, gvr schema.GroupVersionResource, o metav1.ListOptions) (apiwatch.Interface, error) {
	return r.Resource(gvr).Watch(ctx, o)
}

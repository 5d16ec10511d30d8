// Package seed puts the objects of manifests into a running API server, so that what Ambit shows of the built-in sample
// can be tried on a live cluster.
package seed

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// A kind is served some time after its definition was written. Longer than the patience is a mistake in the manifests.
const (
	attempts = 100 * time.Millisecond
	patience = 30 * time.Second
)

// seeder writes to one API server.
type seeder struct {
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
	// uids are those that the server gave out, by those in the manifests.
	uids map[types.UID]types.UID
}

// Apply puts all objects into the cluster. Objects that are there already, as the server makes some for itself, are
// changed to say what the manifests say.
func Apply(ctx context.Context, config *rest.Config, objects []*unstructured.Unstructured) error {
	asks, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return fmt.Errorf("make a discovery client: %w", err)
	}
	writes, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	s := seeder{
		dynamic: writes,
		mapper:  restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(asks)),
		uids:    map[types.UID]types.UID{},
	}
	for _, object := range inOrder(objects) {
		if err := s.eventually(ctx, object.DeepCopy()); err != nil {
			return fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

// eventually applies an object, and tries again as long as its kind is not served yet.
func (s seeder) eventually(ctx context.Context, object *unstructured.Unstructured) error {
	written := object.GetUID()
	object.SetUID("") // A server that is asked for a certain UID refuses to create the object.
	object.SetOwnerReferences(s.owners(object.GetOwnerReferences()))
	var last error
	err := wait.PollUntilContextTimeout(ctx, attempts, patience, true, func(ctx context.Context) (bool, error) {
		var live *unstructured.Unstructured
		live, last = s.apply(ctx, object)
		switch {
		case meta.IsNoMatchError(last), apierrors.IsNotFound(last):
			s.mapper.Reset()
			return false, nil
		case last != nil:
			return false, last
		}
		s.uids[written] = live.GetUID()
		return true, nil
	})
	if last != nil {
		return last
	}
	return err
}

// apply makes an object say what its manifest says, whether it exists or not.
func (s seeder) apply(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	gvk := object.GroupVersionKind()
	mapping, err := s.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return nil, err
	}
	target := s.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace())
	return target.Apply(ctx, object.GetName(), object, metav1.ApplyOptions{FieldManager: "sample", Force: true})
}

// owners returns the references with the UIDs that the server gave to the owners.
func (s seeder) owners(references []metav1.OwnerReference) []metav1.OwnerReference {
	for i, r := range references {
		if uid, ok := s.uids[r.UID]; ok {
			references[i].UID = uid
		}
	}
	return references
}

package compare

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
)

//go:embed world.yaml
var world []byte

// apply creates an object, or makes an existing one like it.
func (s *session) apply(ctx context.Context, object *unstructured.Unstructured) error {
	mapping, err := s.resource(ctx, object.GroupVersionKind())
	if err != nil {
		return err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace && object.GetNamespace() == "" {
		object.SetNamespace(metav1.NamespaceDefault)
	}
	target := s.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace())
	_, err = target.Create(ctx, object, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		var live *unstructured.Unstructured
		if live, err = target.Get(ctx, object.GetName(), metav1.GetOptions{}); err == nil {
			object.SetResourceVersion(live.GetResourceVersion())
			_, err = target.Update(ctx, object, metav1.UpdateOptions{})
		}
	}
	if err != nil {
		return fmt.Errorf("apply %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return nil
}

// furnish puts into the cluster what policies and requests need.
func (s *session) furnish(ctx context.Context, pool []oracle.Call, log func(string, ...any)) error {
	objects, err := seed.Documents(world)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if err := s.apply(ctx, object); err != nil {
			return err
		}
	}
	for _, call := range pool {
		answer, err := s.oracle.Client.Do(ctx, call)
		if err != nil {
			return err
		}
		if !answer.OK() && answer.Code != http.StatusConflict {
			log("the pool lacks %s: %s", call.Path, answer.Message())
		}
	}
	return nil
}

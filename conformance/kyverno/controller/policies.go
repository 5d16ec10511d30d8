package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resources are those of the kinds that webhooks are written for.
var resources = map[string]string{
	"ValidatingPolicy": "validatingpolicies", "NamespacedValidatingPolicy": "namespacedvalidatingpolicies",
	"MutatingPolicy": "mutatingpolicies", "NamespacedMutatingPolicy": "namespacedmutatingpolicies",
	"GeneratingPolicy": "generatingpolicies", "NamespacedGeneratingPolicy": "namespacedgeneratingpolicies",
	"ImageValidatingPolicy": "imagevalidatingpolicies", "NamespacedImageValidatingPolicy": "namespacedimagevalidatingpolicies",
	"ClusterPolicy": "clusterpolicies", "Policy": "policies",
	"PolicyException": "policyexceptions",
}

// object is a manifest with the resource that it is written to.
type object struct {
	resource schema.GroupVersionResource
	manifest *unstructured.Unstructured
}

// addressed finds the resource of a policy's manifest.
func addressed(manifest *unstructured.Unstructured) (object, error) {
	kind := manifest.GroupVersionKind()
	resource, ok := resources[kind.Kind]
	if !ok {
		return object{}, fmt.Errorf("%s is no kind of policy", kind)
	}
	return object{kind.GroupVersion().WithResource(resource), manifest}, nil
}

// policyNamed is a policy that nothing is wrong with.
func policyNamed(name string) object {
	o, err := addressed(&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policies.kyverno.io/v1", "kind": "ValidatingPolicy",
		"metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"matchConstraints": map[string]any{"resourceRules": []any{map[string]any{
				"apiGroups": []any{"conformance.invalid"}, "apiVersions": []any{"v1"}, "operations": []any{"CREATE"}, "resources": []any{"none"},
			}}},
			"validations": []any{map[string]any{"expression": "true"}},
		},
	}})
	if err != nil {
		panic(err) // The kind is one of those above.
	}
	return o
}

// Replace deletes the policies that an earlier call has written, and writes others; the controller has not seen them yet.
// Their names must not be those of earlier ones: Kyverno remembers names for which it once had a webhook. The
// policies that the API server or Kyverno refuses are left out, with the reasons as the first result.
func (c *Cluster) Replace(ctx context.Context, manifests []*unstructured.Unstructured) (refused []string, err error) {
	written := make([]object, 0, len(manifests))
	for _, m := range manifests {
		o, err := addressed(m)
		if err != nil {
			return nil, err
		}
		written = append(written, o)
	}
	err = eachOf(c.written, func(o object) error {
		err := c.Dynamic.Resource(o.resource).Namespace(o.manifest.GetNamespace()).Delete(ctx, o.manifest.GetName(), metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("delete %s %s: %w", o.manifest.GetKind(), o.manifest.GetName(), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, c.replaced = c.process.logSince(0)
	why := map[*unstructured.Unstructured]string{}
	var mu sync.Mutex
	err = eachOf(written, func(o object) error {
		_, err := c.Dynamic.Resource(o.resource).Namespace(o.manifest.GetNamespace()).Create(ctx, o.manifest, metav1.CreateOptions{})
		if err == nil {
			return nil
		}
		err = fmt.Errorf("create %s %s: %w", o.manifest.GetKind(), o.manifest.GetName(), err)
		if !apierrors.IsInvalid(err) && !apierrors.IsBadRequest(err) && !strings.Contains(err.Error(), "denied the request") {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		why[o.manifest] = err.Error()
		refused = append(refused, err.Error())
		return nil
	})
	c.written = slices.DeleteFunc(written, func(o object) bool { return why[o.manifest] != "" })
	return refused, err
}

// Policies returns the policies that Replace has written, as they are stored now, in the same order.
func (c *Cluster) Policies(ctx context.Context) ([]*unstructured.Unstructured, error) {
	stored := make([]*unstructured.Unstructured, len(c.written))
	position := map[*unstructured.Unstructured]int{}
	for i, o := range c.written {
		position[o.manifest] = i
	}
	err := eachOf(c.written, func(o object) error {
		read, err := c.Dynamic.Resource(o.resource).Namespace(o.manifest.GetNamespace()).Get(ctx, o.manifest.GetName(), metav1.GetOptions{})
		stored[position[o.manifest]] = read
		return err
	})
	return stored, err
}

// eachOf does the same with all objects, eight at a time.
func eachOf(objects []object, do func(object) error) error {
	errs := make([]error, len(objects))
	tickets := make(chan struct{}, 8)
	var group sync.WaitGroup
	for i, o := range objects {
		tickets <- struct{}{}
		group.Go(func() {
			errs[i] = do(o)
			<-tickets
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

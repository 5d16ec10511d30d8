package main

import (
	"fmt"
	"unsafe"

	policiesv1beta1 "github.com/kyverno/api/api/policies.kyverno.io/v1beta1"
	kyvernov1 "github.com/kyverno/kyverno/api/kyverno/v1"
	kyvernoinformers "github.com/kyverno/kyverno/pkg/client/informers/externalversions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// informed tells a controller of policies, as its watches would.
func informed(controller unsafe.Pointer, informers kyvernoinformers.SharedInformerFactory, manifests []*unstructured.Unstructured) error {
	for _, m := range manifests {
		policy, indexer, cel, err := of(m.GetKind(), informers)
		if err != nil {
			return err
		}
		// The controller reads all versions as v1beta1; the fields are the same.
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m.Object, policy); err != nil {
			return fmt.Errorf("decode %s %s: %w", m.GetKind(), m.GetName(), err)
		}
		if err := indexer.Add(policy); err != nil {
			return fmt.Errorf("add %s %s: %w", m.GetKind(), m.GetName(), err)
		}
		if cel {
			// The controller compiles match conditions when it hears of a policy, and differently from when it meets
			// them later: as such that were admitted before.
			handlePolicyCreate(controller, policy)
		}
	}
	return nil
}

// of returns an empty policy of a kind, and where the controller looks for such.
func of(kind string, informers kyvernoinformers.SharedInformerFactory) (policy runtime.Object, indexer cache.Indexer, cel bool, err error) {
	legacy, policies := informers.Kyverno().V1(), informers.Policies().V1beta1()
	switch kind {
	case "ClusterPolicy":
		return &kyvernov1.ClusterPolicy{}, legacy.ClusterPolicies().Informer().GetIndexer(), false, nil
	case "Policy":
		return &kyvernov1.Policy{}, legacy.Policies().Informer().GetIndexer(), false, nil
	case "ValidatingPolicy":
		return &policiesv1beta1.ValidatingPolicy{}, policies.ValidatingPolicies().Informer().GetIndexer(), true, nil
	case "NamespacedValidatingPolicy":
		return &policiesv1beta1.NamespacedValidatingPolicy{}, policies.NamespacedValidatingPolicies().Informer().GetIndexer(), true, nil
	case "MutatingPolicy":
		return &policiesv1beta1.MutatingPolicy{}, policies.MutatingPolicies().Informer().GetIndexer(), true, nil
	case "NamespacedMutatingPolicy":
		return &policiesv1beta1.NamespacedMutatingPolicy{}, policies.NamespacedMutatingPolicies().Informer().GetIndexer(), true, nil
	case "GeneratingPolicy":
		return &policiesv1beta1.GeneratingPolicy{}, policies.GeneratingPolicies().Informer().GetIndexer(), true, nil
	case "NamespacedGeneratingPolicy":
		return &policiesv1beta1.NamespacedGeneratingPolicy{}, policies.NamespacedGeneratingPolicies().Informer().GetIndexer(), true, nil
	case "ImageValidatingPolicy":
		return &policiesv1beta1.ImageValidatingPolicy{}, policies.ImageValidatingPolicies().Informer().GetIndexer(), true, nil
	case "NamespacedImageValidatingPolicy":
		return &policiesv1beta1.NamespacedImageValidatingPolicy{}, policies.NamespacedImageValidatingPolicies().Informer().GetIndexer(), true, nil
	}
	return nil, nil, false, fmt.Errorf("%s is no kind of policy", kind)
}

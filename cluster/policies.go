package cluster

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/admission"
)

// addPolicy puts an object among the policies if it is one.
func addPolicy(to *admission.Objects, obj runtime.Object) bool {
	switch obj := obj.(type) {
	case *admissionregistrationv1.ValidatingWebhookConfiguration:
		to.ValidatingWebhooks = append(to.ValidatingWebhooks, obj)
	case *admissionregistrationv1.MutatingWebhookConfiguration:
		to.MutatingWebhooks = append(to.MutatingWebhooks, obj)
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		to.ValidatingPolicies = append(to.ValidatingPolicies, obj)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		to.ValidatingBindings = append(to.ValidatingBindings, obj)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		to.MutatingPolicies = append(to.MutatingPolicies, obj)
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		to.MutatingBindings = append(to.MutatingBindings, obj)
	default:
		return false
	}
	return true
}

// countPolicies counts the policies of each kind.
func countPolicies(o admission.Objects) []Count {
	return []Count{
		{mutatingPolicies.plural, len(o.MutatingPolicies)},
		{mutatingBindings.plural, len(o.MutatingBindings)},
		{mutatingWebhooks.plural, len(o.MutatingWebhooks)},
		{validatingPolicies.plural, len(o.ValidatingPolicies)},
		{validatingBindings.plural, len(o.ValidatingBindings)},
		{validatingWebhooks.plural, len(o.ValidatingWebhooks)},
	}
}

// paramKinds returns the kinds of the parameters that policies take, each once, in order.
func paramKinds(o admission.Objects) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	add := func(k *admissionregistrationv1.ParamKind) {
		if k == nil {
			return
		}
		gvk := schema.FromAPIVersionAndKind(k.APIVersion, k.Kind)
		if !slices.Contains(kinds, gvk) {
			kinds = append(kinds, gvk)
		}
	}
	for _, p := range o.MutatingPolicies {
		add(p.Spec.ParamKind)
	}
	for _, p := range o.ValidatingPolicies {
		add(p.Spec.ParamKind)
	}
	return kinds
}

package kyverno

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// without completes what is said of policies that cannot be read.
const without = "policies of this kind are not shown, and what is predicted of Kyverno's webhooks lacks them"

// celKind describes a kind of policies that are written in CEL.
func celKind(kind api.Kind, resource, plural string, versions ...string) scope.ObjectKind {
	return scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: api.Group, Kind: string(kind)}, Resource: resource, Plural: plural, Versions: versions,
		Without: without, Namespaced: kind.Namespaced(), Custom: true,
	}
}

// celKinds are the kinds of policies that are written in CEL, in the order in which their webhooks are built.
// MutatingPolicy and GeneratingPolicy came with v1alpha1, their namespaced forms with v1beta1
// (github.com/kyverno/api/api/policies.kyverno.io).
var celKinds = []scope.ObjectKind{
	celKind(api.ValidatingPolicy, "validatingpolicies", "ValidatingPolicies", "v1", "v1beta1", "v1alpha1"),
	celKind(api.NamespacedValidatingPolicy, "namespacedvalidatingpolicies", "NamespacedValidatingPolicies", "v1", "v1beta1"),
	celKind(api.GeneratingPolicy, "generatingpolicies", "GeneratingPolicies", "v1", "v1beta1", "v1alpha1"),
	celKind(api.NamespacedGeneratingPolicy, "namespacedgeneratingpolicies", "NamespacedGeneratingPolicies", "v1", "v1beta1"),
	celKind(api.ImageValidatingPolicy, "imagevalidatingpolicies", "ImageValidatingPolicies", "v1", "v1beta1", "v1alpha1"),
	celKind(api.NamespacedImageValidatingPolicy, "namespacedimagevalidatingpolicies", "NamespacedImageValidatingPolicies", "v1", "v1beta1"),
	celKind(api.MutatingPolicy, "mutatingpolicies", "MutatingPolicies", "v1", "v1beta1", "v1alpha1"),
	celKind(api.NamespacedMutatingPolicy, "namespacedmutatingpolicies", "NamespacedMutatingPolicies", "v1", "v1beta1"),
}

// legacyKinds are the kinds of policies of the group kyverno.io.
var legacyKinds = []scope.ObjectKind{
	{
		GroupKind: schema.GroupKind{Group: api.LegacyGroup, Kind: string(api.ClusterPolicy)},
		Resource:  "clusterpolicies", Plural: "ClusterPolicies",
		Versions: []string{"v1", "v2beta1"}, Without: without, Custom: true,
	},
	{
		GroupKind: schema.GroupKind{Group: api.LegacyGroup, Kind: string(api.LegacyPolicy)},
		Resource:  "policies", Plural: "Kyverno Policies",
		Versions: []string{"v1", "v2beta1"}, Without: without, Namespaced: true, Custom: true,
	},
}

// The exceptions of both groups.
var (
	exceptionKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: api.Group, Kind: string(api.ExceptionKind)},
		Resource:  "policyexceptions", Plural: "PolicyExceptions",
		Versions: []string{"v1", "v1beta1", "v1alpha1"}, Without: "what they exempt is not known", Namespaced: true, Custom: true,
	}
	legacyExceptionKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: api.LegacyGroup, Kind: string(api.ExceptionKind)},
		Resource:  "policyexceptions", Plural: "Kyverno PolicyExceptions",
		Versions: []string{"v2", "v2beta1"}, Without: "what they exempt is not known", Namespaced: true, Custom: true,
	}
)

// configKind is the ConfigMap that configures Kyverno.
var configKind = scope.ObjectKind{
	GroupKind: schema.GroupKind{Group: corev1.GroupName, Kind: "ConfigMap"},
	Resource:  "configmaps", Plural: "ConfigMaps named " + config.Name, Versions: []string{"v1"},
	Without: "what Kyverno filters, and for which namespaces it is called at all, is not known",
	Named:   config.Name, Namespaced: true,
}

// Kinds implements scope.Compiler.
func (c *Compiler) Kinds() []scope.ObjectKind {
	kinds := append([]scope.ObjectKind{}, celKinds...)
	kinds = append(kinds, legacyKinds...)
	return append(kinds, exceptionKind, legacyExceptionKind, configKind, webhook.MutatingKind, webhook.ValidatingKind)
}

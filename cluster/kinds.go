package cluster

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// kind is a kind of object that a snapshot is made of.
type kind struct {
	schema.GroupKind
	// resource is what the kind is called in URLs.
	resource string
	// plural is what the kind is called in a sentence.
	plural string
	// versions are those that can be read, the best first. The objects have the same fields in all of them, and are
	// decoded as the first.
	versions []string
	// without completes "... cannot be read: forbidden; ". A kind without it is not missed.
	without string
}

// gvk returns the kind in the version that its objects are decoded as.
func (k kind) gvk() schema.GroupVersionKind { return k.WithVersion(k.versions[0]) }

// gvr returns the resource in a version.
func (k kind) gvr(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: version, Resource: k.resource}
}

// policyKind describes a kind of the group admissionregistration.k8s.io.
func policyKind(name, resource, plural string, versions ...string) kind {
	return kind{
		GroupKind: schema.GroupKind{Group: admissionregistrationv1.GroupName, Kind: name},
		resource:  resource, plural: plural, versions: versions,
		without: "policies of this kind are not shown",
	}
}

// The kinds that a snapshot is made of. The webhook kinds have no other versions: v1beta1 had other defaults, and no
// server has served it since Kubernetes 1.22.
var (
	validatingWebhooks = policyKind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "ValidatingWebhookConfigurations", "v1")
	mutatingWebhooks   = policyKind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "MutatingWebhookConfigurations", "v1")
	validatingPolicies = policyKind("ValidatingAdmissionPolicy", "validatingadmissionpolicies", "ValidatingAdmissionPolicies", "v1", "v1beta1", "v1alpha1")
	validatingBindings = policyKind("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBindings", "v1", "v1beta1", "v1alpha1")
	mutatingPolicies   = policyKind("MutatingAdmissionPolicy", "mutatingadmissionpolicies", "MutatingAdmissionPolicies", "v1", "v1beta1", "v1alpha1")
	mutatingBindings   = policyKind("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBindings", "v1", "v1beta1", "v1alpha1")

	namespaceKind = kind{
		GroupKind: schema.GroupKind{Group: corev1.GroupName, Kind: "Namespace"},
		resource:  "namespaces", plural: "Namespaces", versions: []string{"v1"},
		without: "the labels of namespaces are not known",
	}
	crdKind = kind{
		GroupKind: schema.GroupKind{Group: apiextensionsv1.GroupName, Kind: "CustomResourceDefinition"},
		resource:  "customresourcedefinitions", plural: "CustomResourceDefinitions", versions: []string{"v1"},
		without: "which versions custom resources have without serving them, and how they are converted, is not known",
	}
)

// apiServiceKind is only watched for the news that another API server joined or left.
var apiServiceKind = kind{
	GroupKind: schema.GroupKind{Group: "apiregistration.k8s.io", Kind: "APIService"},
	resource:  "apiservices", plural: "APIServices", versions: []string{"v1"},
}

// policyKinds are the kinds that hold policies, in the order in which they are counted.
var policyKinds = []kind{mutatingPolicies, mutatingBindings, mutatingWebhooks, validatingPolicies, validatingBindings, validatingWebhooks}

// factKinds are the kinds that hold facts.
var factKinds = []kind{namespaceKind, crdKind}

// watchedKinds are all kinds that are followed on a running cluster whatever its policies are.
var watchedKinds = append(slices.Concat(policyKinds, factKinds), apiServiceKind)

// secrets are known by metadata only, also where a policy takes them as parameters.
var secrets = schema.GroupKind{Group: corev1.GroupName, Kind: "Secret"}

// kindOf returns the kind of that name among those that a snapshot is made of.
func kindOf(gk schema.GroupKind) (kind, bool) {
	for _, k := range slices.Concat(policyKinds, factKinds) {
		if k.GroupKind == gk {
			return k, true
		}
	}
	return kind{}, false
}

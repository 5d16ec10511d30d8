package cluster

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// The kinds that hold facts.
var (
	namespaceKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: corev1.GroupName, Kind: "Namespace"},
		Resource:  "namespaces", Plural: "Namespaces", Versions: []string{"v1"},
		Without: "the labels of namespaces are not known",
	}
	crdKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: apiextensionsv1.GroupName, Kind: "CustomResourceDefinition"},
		Resource:  "customresourcedefinitions", Plural: "CustomResourceDefinitions", Versions: []string{"v1"},
		Without: "which versions custom resources have without serving them, and how they are converted, is not known",
	}
)

// The kinds that tell who may ask something of the cluster.
var (
	serviceAccountKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: corev1.GroupName, Kind: "ServiceAccount"},
		Resource:  "serviceaccounts", Plural: "ServiceAccounts", Versions: []string{"v1"},
		Without: "in which FlowSchemas they fall is not listed",
	}
	clusterRoleBindingKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: rbacv1.GroupName, Kind: "ClusterRoleBinding"},
		Resource:  "clusterrolebindings", Plural: "ClusterRoleBindings", Versions: []string{"v1"},
		Without: "the users and groups that they name are not listed",
	}
	roleBindingKind = scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: rbacv1.GroupName, Kind: "RoleBinding"},
		Resource:  "rolebindings", Plural: "RoleBindings", Versions: []string{"v1"},
		Without: "the users and groups that they name are not listed",
	}
)

// apiServiceKind is only watched for the news that another API server joined or left.
var apiServiceKind = scope.ObjectKind{
	GroupKind: schema.GroupKind{Group: "apiregistration.k8s.io", Kind: "APIService"},
	Resource:  "apiservices", Plural: "APIServices", Versions: []string{"v1"},
}

// policyKinds are the kinds that policies are made of, in the order in which they are counted. They are the same for all
// releases of what comes as an add-on.
var policyKinds = newCompilers(release.Default).kinds()

// factKinds are the kinds that hold facts.
var factKinds = []scope.ObjectKind{namespaceKind, crdKind}

// identityKinds are the kinds of which only the names matter that are in them.
var identityKinds = []scope.ObjectKind{serviceAccountKind, clusterRoleBindingKind, roleBindingKind}

// What is followed on a running cluster whatever its policies are. One answer needs the decidingKinds and nobody's name
// but that of who asks.
var (
	decidingKinds = append(slices.Concat(policyKinds, factKinds), apiServiceKind)
	watchedKinds  = slices.Concat(decidingKinds, identityKinds)
)

// secrets are known by metadata only, also where a policy takes them as parameters.
var secrets = schema.GroupKind{Group: corev1.GroupName, Kind: "Secret"}

// kindOf returns the kind of that name among those that a snapshot is made of.
func kindOf(gk schema.GroupKind) (scope.ObjectKind, bool) {
	for _, k := range slices.Concat(policyKinds, factKinds) {
		if k.GroupKind == gk {
			return k, true
		}
	}
	return scope.ObjectKind{}, false
}

package webhook

import (
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// The kinds of webhook configurations. They have no other versions: v1beta1 had other defaults, and no server has
// served it since Kubernetes 1.22.
var (
	MutatingKind   = kind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "MutatingWebhookConfigurations")
	ValidatingKind = kind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "ValidatingWebhookConfigurations")
)

func kind(name, resource, plural string) scope.ObjectKind {
	return scope.ObjectKind{
		GroupKind: schema.GroupKind{Group: v1.GroupName, Kind: name}, Resource: resource, Plural: plural, Versions: []string{"v1"},
		Without: "policies of this kind are not shown",
	}
}

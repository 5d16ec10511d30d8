// Package config reads what decides scope for all policies of Kyverno: the ConfigMap named kyverno, and the flags of
// its admission controller.
package config

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Name is the name of the ConfigMap in an installation that does not change it (INIT_CONFIG).
const Name = "kyverno"

// Config is what the ConfigMap says (pkg/config/config.go, load). Without a ConfigMap nothing is configured.
type Config struct {
	// Namespace is that of the ConfigMap; empty if there is none.
	Namespace string
	// NamespaceSelector and ObjectSelector are joined to those of each policy; nil and empty are kept apart.
	NamespaceSelector *metav1.LabelSelector
	ObjectSelector    *metav1.LabelSelector
	// MatchConditions stand in webhooks of legacy policies, and in no others.
	MatchConditions []v1.MatchCondition
	// WebhookLabels and WebhookAnnotations stand on the webhook configurations.
	WebhookLabels      map[string]string
	WebhookAnnotations map[string]string
	// Filters are the resourceFilters: Kyverno allows a request that one of them matches, and looks at no policy.
	Filters []Filter
	// Excluded are who else is allowed so; who is Included is not, even if Excluded.
	Excluded, Included Identities
	// Problems are sentences about what Kyverno would log and ignore.
	Problems []string
}

// Identities are patterns with the wildcards * and ?; one that matches is enough.
type Identities struct {
	Usernames, Groups, Roles, ClusterRoles []string
}

// Filter is one of the resourceFilters. All parts are patterns with the wildcards * and ?; an empty one matches the
// empty text alone.
type Filter struct {
	Group, Version, Kind, Subresource string
	Namespace, Name                   string
	// Written is the filter as it stands in the ConfigMap, brackets included.
	Written string
}

// Flags are the flags of the admission controller that decide scope (cmd/kyverno/main.go, cmd/internal). The zero value
// is what holds without any flag.
type Flags struct {
	// ForceFailurePolicyIgnore is --forceFailurePolicyIgnore: no webhook for resources fails closed.
	ForceFailurePolicyIgnore bool
	// NoAutoUpdateWebhooks is --autoUpdateWebhooks=false: two webhooks for everything stand in place of those that follow
	// from the policies.
	NoAutoUpdateWebhooks bool
	// WebhookTimeout is --webhookTimeout, in seconds; 0 stands for Kyverno's default of 10.
	WebhookTimeout int32
	// ExcludeBootstrapResources is --excludeBootstrapResources: no webhook that fails closed is asked about Nodes and
	// CertificateSigningRequests.
	ExcludeBootstrapResources bool
	// NoAdmissionReports is --admissionReports=false: validating webhooks of legacy policies have no side effects.
	NoAdmissionReports bool
}

// Timeout is the time in seconds that Kyverno asks for webhooks of legacy policies that do not ask themselves.
func (f Flags) Timeout() int32 {
	if f.WebhookTimeout == 0 {
		return 10
	}
	return f.WebhookTimeout
}

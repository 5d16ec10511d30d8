package kyverno

import (
	"cmp"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// objects are the objects that Kyverno's policies are compiled from, decoded.
type objects struct {
	policies   []*api.Policy
	legacy     []*api.Legacy
	exceptions []*api.Exception
	exempts    []*api.LegacyException
	observed   Observed
	config     *config.Config
	// namespace is the one that Kyverno runs in, if that can be told.
	namespace string
	// unreadable are sentences about objects that cannot be decoded.
	unreadable []string
}

func read(o scope.Objects) *objects {
	all := &objects{observed: observe(o)}
	for _, k := range celKinds {
		all.policies = append(all.policies, decoded(all, o, k, api.DecodePolicy)...)
	}
	for _, k := range legacyKinds {
		all.legacy = append(all.legacy, decoded(all, o, k, api.DecodeLegacy)...)
	}
	all.exceptions = decoded(all, o, exceptionKind, api.DecodeException)
	all.exempts = decoded(all, o, legacyExceptionKind, api.DecodeLegacyException)
	all.configure(scope.Typed[*corev1.ConfigMap](o, configKind.GroupKind))
	return all
}

// decoded decodes the objects of a kind, and remembers those that cannot be.
func decoded[T any](all *objects, o scope.Objects, k scope.ObjectKind, decode func(*unstructured.Unstructured) (T, error)) []T {
	var list []T
	for _, u := range scope.Typed[*unstructured.Unstructured](o, k.GroupKind) {
		one, err := decode(u)
		if err != nil {
			all.unreadable = append(all.unreadable, err.Error())
			continue
		}
		list = append(list, one)
	}
	return list
}

// observe finds the configurations of the cluster under Kyverno's names. They get the API server's defaults, so that
// they look alike whether an API server has stored them or not.
func observe(o scope.Objects) Observed {
	var found Observed
	for _, c := range scope.Typed[*v1.ValidatingWebhookConfiguration](o, webhook.ValidatingKind.GroupKind) {
		if c.Name == webhooks.ValidatingName {
			found.Validating = c.DeepCopy()
			webhook.DefaultValidating(found.Validating)
		}
	}
	for _, c := range scope.Typed[*v1.MutatingWebhookConfiguration](o, webhook.MutatingKind.GroupKind) {
		if c.Name == webhooks.MutatingName {
			found.Mutating = c.DeepCopy()
			webhook.DefaultMutating(found.Mutating)
		}
	}
	return found
}

// configure finds the ConfigMap: where several namespaces have one of its name, it is the one in the namespace of the
// service that the cluster's webhooks call, else the one in namespace kyverno, else the first.
func (all *objects) configure(maps []*corev1.ConfigMap) {
	maps = slices.DeleteFunc(slices.Clone(maps), func(m *corev1.ConfigMap) bool { return m.Name != config.Name })
	slices.SortFunc(maps, func(a, b *corev1.ConfigMap) int { return cmp.Compare(a.Namespace, b.Namespace) })
	all.namespace = all.observed.namespace()
	if len(maps) == 0 {
		return
	}
	best := maps[0]
	for _, m := range maps {
		if m.Namespace == cmp.Or(all.namespace, config.Name) {
			best = m
		}
	}
	all.config = config.Parse(best)
	all.namespace = cmp.Or(all.namespace, best.Namespace)
}

// namespace is that of the service which the webhooks of the cluster call; empty if there is none.
func (o Observed) namespace() string {
	var entries []webhook.Entry
	if o.Validating != nil {
		entries = append(entries, webhook.Validating(o.Validating)...)
	}
	if o.Mutating != nil {
		entries = append(entries, webhook.Mutating(o.Mutating)...)
	}
	for _, e := range entries {
		if e.Client.Service != nil {
			return e.Client.Service.Namespace
		}
	}
	return ""
}

// refs names all policies.
func (all *objects) refs() []webhooks.Ref {
	var refs []webhooks.Ref
	for _, p := range all.policies {
		refs = append(refs, webhooks.RefOf(p))
	}
	for _, p := range all.legacy {
		refs = append(refs, webhooks.RefOfLegacy(p))
	}
	return refs
}

package engine_test

import (
	"math/rand/v2"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

type generator struct{ *rand.Rand }

func pick[T any](g generator, values ...T) T { return values[g.IntN(len(values))] }

func some[T any](g generator, values ...T) []T {
	part := []T{pick(g, values...)}
	for _, v := range values {
		if g.IntN(3) == 0 {
			part = append(part, v)
		}
	}
	return part
}

func (g generator) match() *v1.MatchResources {
	m := &v1.MatchResources{NamespaceSelector: g.selector("env", "tier", "kubernetes.io/metadata.name"), ObjectSelector: g.selector("app", "tier", "env")}
	for range g.IntN(3) {
		m.ResourceRules = append(m.ResourceRules, g.rule())
	}
	if g.IntN(4) == 0 {
		m.ExcludeResourceRules = append(m.ExcludeResourceRules, g.rule())
	}
	return m
}

func (g generator) rule() v1.NamedRuleWithOperations {
	r := v1.NamedRuleWithOperations{}
	r.Operations, r.APIGroups, r.APIVersions, r.Resources = []v1.OperationType{v1.OperationAll}, []string{"*"}, []string{"*"}, []string{pick(g, "*", "*/*")}
	if g.IntN(2) == 0 {
		r.Operations = some(g, v1.OperationAll, v1.Create, v1.Update, v1.Delete, v1.Connect)
		r.APIGroups, r.APIVersions = some(g, "*", "", "apps"), some(g, "*", "v1", "v1beta1")
		r.Resources = some(g, "*", "*/*", "pods", "pods/*", "pods/exec", "deployments", "namespaces", "namespaces/status", "clusterroles")
		where := pick(g, v1.AllScopes, v1.NamespacedScope, v1.ClusterScope)
		if g.IntN(2) == 0 {
			r.Scope = &where
		}
	}
	if g.IntN(4) == 0 {
		r.ResourceNames = some(g, "web", "prod", "other")
	}
	return r
}

func (g generator) selector(keys ...string) *metav1.LabelSelector {
	if g.IntN(4) == 0 {
		return nil
	}
	s := &metav1.LabelSelector{}
	if g.IntN(3) == 0 {
		s.MatchLabels = map[string]string{pick(g, keys...): pick(g, "prod", "dev", "web", "ghost")}
	}
	for range g.IntN(3) {
		r := metav1.LabelSelectorRequirement{Key: pick(g, keys...), Operator: pick(g, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
		if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
			r.Values = some(g, "prod", "dev", "web", "ghost")
			if g.IntN(30) == 0 {
				r.Values = []string{"not a label value!"}
			}
		}
		s.MatchExpressions = append(s.MatchExpressions, r)
	}
	return s
}

// request is one for an object of a few kinds, with the objects that admission has under its operation.
func (g generator) request() *scope.Request {
	type target struct {
		resource     schema.GroupVersionResource
		kind         schema.GroupVersionKind
		sub          string
		inNamespaces bool
	}
	t := pick(g,
		target{corev1.SchemeGroupVersion.WithResource("pods"), corev1.SchemeGroupVersion.WithKind("Pod"), "", true},
		target{corev1.SchemeGroupVersion.WithResource("pods"), corev1.SchemeGroupVersion.WithKind("PodExecOptions"), "exec", true},
		target{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, "", true},
		target{schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}, schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}, "", false},
		target{corev1.SchemeGroupVersion.WithResource("namespaces"), corev1.SchemeGroupVersion.WithKind("Namespace"), "", false},
	)
	r := &scope.Request{Kind: t.kind, Resource: t.resource, Subresource: t.sub, Name: pick(g, "web", "prod", "dev")}
	r.Operation = pick(g, admission.Create, admission.Update, admission.Delete)
	if t.sub != "" {
		r.Operation = admission.Connect
	}
	if t.inNamespaces {
		r.Namespace = pick(g, "prod", "dev", "ghost")
	}
	if t.kind.Kind == "Namespace" {
		r.Name = pick(g, "prod", "dev", "ghost")
		r.Namespace = r.Name
	}
	if r.Operation != admission.Delete {
		r.Object = g.object(t.kind, r)
	}
	if r.Operation == admission.Update || r.Operation == admission.Delete {
		r.OldObject = g.object(t.kind, r)
	}
	return r
}

func (g generator) object(kind schema.GroupVersionKind, r *scope.Request) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(kind)
	if kind.Kind == "PodExecOptions" {
		return u
	}
	u.SetName(r.Name)
	if r.Namespace != "" && kind.Kind != "Namespace" {
		u.SetNamespace(r.Namespace)
	}
	found := map[string]string{}
	for _, key := range []string{"app", "tier", "env"} {
		if g.IntN(2) == 0 {
			found[key] = pick(g, "prod", "dev", "web")
		}
	}
	if len(found) > 0 {
		u.SetLabels(found)
	}
	return u
}

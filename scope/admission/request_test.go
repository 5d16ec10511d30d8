package admission_test

import (
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// shape is a kind of request that a client can make.
type shape struct {
	gvr         schema.GroupVersionResource
	subresource string
	kind        schema.GroupVersionKind
	namespaced  bool
	operations  []admission.Operation
	object      func(name, namespace string, labels map[string]string) runtime.Object
}

var writes = []admission.Operation{admission.Create, admission.Update, admission.Delete}

func typed[T any, P interface {
	*T
	runtime.Object
	metav1.Object
}](gvk schema.GroupVersionKind) func(string, string, map[string]string) runtime.Object {
	return func(name, namespace string, labels map[string]string) runtime.Object {
		o := P(new(T))
		o.GetObjectKind().SetGroupVersionKind(gvk)
		o.SetName(name)
		o.SetNamespace(namespace)
		o.SetLabels(labels)
		return o
	}
}

func custom(gvk schema.GroupVersionKind) func(string, string, map[string]string) runtime.Object {
	return func(name, namespace string, labels map[string]string) runtime.Object {
		u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{}, "spec": map[string]any{"size": int64(1)}}}
		u.SetGroupVersionKind(gvk)
		u.SetName(name)
		u.SetNamespace(namespace)
		if labels != nil {
			u.SetLabels(labels)
		}
		return u
	}
}

func gvr(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}

func gvk(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

// shapes covers what the API server treats differently: subresources whose object is of
// another kind or has no metadata, cluster scope, Namespaces, equivalents, exemptions.
var shapes = []shape{
	{gvr("", "v1", "pods"), "", gvk("", "v1", "Pod"), true, writes, typed[corev1.Pod](gvk("", "v1", "Pod"))},
	{gvr("", "v1", "pods"), "status", gvk("", "v1", "Pod"), true, []admission.Operation{admission.Update}, typed[corev1.Pod](gvk("", "v1", "Pod"))},
	{gvr("", "v1", "pods"), "exec", gvk("", "v1", "PodExecOptions"), true, []admission.Operation{admission.Connect}, func(string, string, map[string]string) runtime.Object {
		return &corev1.PodExecOptions{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodExecOptions"}, Command: []string{"sh"}}
	}},
	{gvr("apps", "v1", "deployments"), "", gvk("apps", "v1", "Deployment"), true, writes, typed[appsv1.Deployment](gvk("apps", "v1", "Deployment"))},
	{gvr("apps", "v1", "deployments"), "scale", gvk("autoscaling", "v1", "Scale"), true, []admission.Operation{admission.Update}, func(name, namespace string, _ map[string]string) runtime.Object {
		return typed[autoscalingv1.Scale](gvk("autoscaling", "v1", "Scale"))(name, namespace, nil)
	}},
	{gvr("autoscaling", "v1", "horizontalpodautoscalers"), "", gvk("autoscaling", "v1", "HorizontalPodAutoscaler"), true, writes, typed[autoscalingv1.HorizontalPodAutoscaler](gvk("autoscaling", "v1", "HorizontalPodAutoscaler"))},
	{gvr("", "v1", "events"), "", gvk("", "v1", "Event"), true, writes, typed[corev1.Event](gvk("", "v1", "Event"))},
	{gvr("", "v1", "namespaces"), "", gvk("", "v1", "Namespace"), false, writes, typed[corev1.Namespace](gvk("", "v1", "Namespace"))},
	{gvr("", "v1", "namespaces"), "status", gvk("", "v1", "Namespace"), false, []admission.Operation{admission.Update}, typed[corev1.Namespace](gvk("", "v1", "Namespace"))},
	{gvr("rbac.authorization.k8s.io", "v1", "clusterroles"), "", gvk("rbac.authorization.k8s.io", "v1", "ClusterRole"), false, writes, typed[rbacv1.ClusterRole](gvk("rbac.authorization.k8s.io", "v1", "ClusterRole"))},
	{widgetV1, "", gvk("example.com", "v1", "Widget"), true, writes, custom(gvk("example.com", "v1", "Widget"))},
	{foreignNamespaces, "", gvk("example.com", "v1", "Namespace"), false, writes, custom(gvk("example.com", "v1", "Namespace"))},
	{gvr("authentication.k8s.io", "v1", "tokenreviews"), "", gvk("authentication.k8s.io", "v1", "TokenReview"), false, []admission.Operation{admission.Create}, typed[authenticationv1.TokenReview](gvk("authentication.k8s.io", "v1", "TokenReview"))},
	{gvr("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations"), "", gvk("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"), false, writes, custom(gvk("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"))},
	{gvr("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies"), "", gvk("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy"), false, writes, custom(gvk("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy"))},
}

// request makes a request that is known whole, as the API server would have it.
func (g generator) request() *scope.Request {
	s := pick(g.Rand, shapes...)
	r := &scope.Request{
		Operation: pick(g.Rand, s.operations...), Kind: s.kind, Resource: s.gvr, Subresource: s.subresource,
		Name: pick(g.Rand, "web", "admin", "other", "prod"), DryRun: chance(g.Rand, 4),
		User: &authenticationv1.UserInfo{Username: pick(g.Rand, "alice", "bob", "system:serviceaccount:dev:ci"), Groups: some(g.Rand, "devs", "system:authenticated")},
	}
	if s.namespaced {
		r.Namespace = pick(g.Rand, "prod", "dev", "kube-system", "ghost")
	}
	if s.gvr == gvr("", "v1", "namespaces") {
		r.Name = pick(g.Rand, "prod", "dev", "fresh")
		r.Namespace = r.Name
	}
	objectNamespace := r.Namespace
	if !s.namespaced {
		objectNamespace = ""
	}
	if r.Operation != admission.Delete {
		r.Object = s.object(r.Name, objectNamespace, g.labels())
	}
	if r.Operation == admission.Update || r.Operation == admission.Delete {
		r.OldObject = s.object(r.Name, objectNamespace, g.labels())
	}
	switch r.Operation {
	case admission.Create:
		r.Options = &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}}
	case admission.Update:
		r.Options = &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "UpdateOptions"}}
	case admission.Delete:
		r.Options = &metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "DeleteOptions"}}
		if chance(g.Rand, 6) {
			r.Name = "" // One item of a deletecollection.
		}
	}
	return r
}

func (g generator) labels() map[string]string {
	labels := map[string]string{}
	for _, key := range []string{"app", "tier", "env"} {
		if chance(g.Rand, 2) {
			labels[key] = pick(g.Rand, "prod", "dev", "web")
		}
	}
	if len(labels) == 0 && chance(g.Rand, 2) {
		return nil
	}
	return labels
}

package hazard_test

import (
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

var (
	writes  = []admission.Operation{admission.Create, admission.Update, admission.Delete}
	updates = []admission.Operation{admission.Update}
)

// asked are the operations on the resources that requests are for.
var asked = []struct {
	resource    schema.GroupVersionResource
	subresource string
	kind        schema.GroupVersionKind
	operations  []admission.Operation
}{
	{core("pods"), "", kind("", "Pod"), writes},
	{core("services"), "", kind("", "Service"), writes},
	{core("services"), "status", kind("", "Service"), updates},
	{core("pods"), "exec", kind("", "PodExecOptions"), []admission.Operation{admission.Connect}},
	{core("namespaces"), "", kind("", "Namespace"), writes},
	{in("apps", "deployments"), "", kind("apps", "Deployment"), writes},
	{in("apps", "statefulsets"), "", kind("apps", "StatefulSet"), writes},
	{in("apps", "deployments"), "scale", kind("autoscaling", "Scale"), updates},
	{in("rbac.authorization.k8s.io", "clusterroles"), "", kind("rbac.authorization.k8s.io", "ClusterRole"), writes},
	// A resource that no manifest defines.
	{in("example.com", "widgets"), "", kind("example.com", "Widget"), writes},
}

func in(group, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
}

func kind(group, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
}

func core(resource string) schema.GroupVersionResource { return in("", resource) }

// requests are every operation on some resources, each with objects and users of several sorts.
func requests() []*scope.Request {
	var all []*scope.Request
	for _, r := range asked {
		for _, o := range r.operations {
			for i := range 4 {
				one := &scope.Request{
					Operation: o, Resource: r.resource, Subresource: r.subresource, Kind: r.kind,
					Name: string(rune('a' + i)), DryRun: i == 3,
					User: &authenticationv1.UserInfo{
						Username: fmt.Sprintf("system:%c", 'a'+i%2), Groups: []string{"devs", "ops"}[:1+i%2],
					},
				}
				if r.resource.Resource != "clusterroles" {
					one.Namespace = []string{"team-a", "team-b"}[i%2]
				}
				if r.resource == core("namespaces") {
					one.Name = one.Namespace
				}
				if o != admission.Delete {
					one.Object = objectOf(one, i)
				}
				if o == admission.Update || o == admission.Delete {
					one.OldObject = objectOf(one, i/2)
				}
				all = append(all, one)
			}
		}
	}
	return all
}

// objectOf is an object of a request: with more in it, the higher the number is.
func objectOf(r *scope.Request, n int) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(r.Kind)
	if r.Operation == admission.Connect {
		return u
	}
	u.SetName(r.Name)
	u.SetNamespace(r.Namespace)
	if n > 0 {
		u.Object["spec"] = map[string]any{"replicas": int64(n)}
		u.SetLabels(map[string]string{"app": []string{"web", "db"}[n%2]})
	}
	return u
}

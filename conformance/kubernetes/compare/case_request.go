package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// pathOf is the URL path of what a request is about, without its subresource; that of the collection if there is no
// name.
func pathOf(r *admissionv1.AdmissionRequest, namespaced bool, name string) string {
	path := "/apis/" + r.Resource.Group + "/" + r.Resource.Version
	if r.Resource.Group == "" {
		path = "/api/" + r.Resource.Version
	}
	if namespaced {
		path += "/namespaces/" + r.Namespace
	}
	path += "/" + r.Resource.Resource
	if name != "" {
		path += "/" + name
	}
	return path
}

// callOf makes the HTTP request that leads to a request to admission. The live object is the one that exists now.
func callOf(r *admissionv1.AdmissionRequest, namespaced bool, live map[string]any) (oracle.Call, error) {
	call := oracle.Call{User: &r.UserInfo, Query: url.Values{}}
	if r.DryRun != nil && *r.DryRun {
		call.Query.Set("dryRun", "All")
	}
	suffix := ""
	if r.SubResource != "" {
		suffix = "/" + r.SubResource
	}
	var object map[string]any
	if len(r.Object.Raw) > 0 {
		if err := utiljson.Unmarshal(r.Object.Raw, &object); err != nil {
			return call, fmt.Errorf("read object: %w", err)
		}
	}
	switch r.Operation {
	case admissionv1.Create:
		call.Method, call.Path = http.MethodPost, pathOf(r, namespaced, "")
		if suffix != "" {
			call.Path = pathOf(r, namespaced, r.Name) + suffix
		}
	case admissionv1.Update:
		call.Method, call.Path = http.MethodPut, pathOf(r, namespaced, r.Name)+suffix
		asStored(object, live)
	case admissionv1.Delete:
		call.Method, call.Path = http.MethodDelete, pathOf(r, namespaced, r.Name)
		if r.Name == "" {
			name, _, _ := unstructured.NestedString(live, "metadata", "name")
			call.Query.Set("fieldSelector", "metadata.name="+name)
		}
	case admissionv1.Connect:
		call.Method, call.Path = http.MethodPost, pathOf(r, namespaced, r.Name)+suffix
		addOptions(call.Query, object)
		return call, nil
	default:
		return call, errors.New("no client can cause this operation")
	}
	if object != nil {
		call.Body = encoded(object)
	}
	return call, nil
}

// addOptions writes the options of a connection as they stand in a URL.
func addOptions(query url.Values, options map[string]any) {
	for field, value := range options {
		switch value := value.(type) {
		case []any:
			for _, element := range value {
				query.Add(field, fmt.Sprint(element))
			}
		default:
			if field != "apiVersion" && field != "kind" {
				query.Set(field, fmt.Sprint(value))
			}
		}
	}
}

// asStored gives an object the identity of the one that exists, as a client has it that has read the object.
func asStored(object, live map[string]any) {
	for _, field := range []string{"uid", "resourceVersion"} {
		unstructured.RemoveNestedField(object, "metadata", field)
		if value, ok, _ := unstructured.NestedString(live, "metadata", field); ok {
			_ = unstructured.SetNestedField(object, value, "metadata", field)
		}
	}
}

// parent is the object that has to exist before a request can be made: the old object, or whatever the subresource is
// below of.
func (s *session) parent(ctx context.Context, r *admissionv1.AdmissionRequest, namespaced bool) (live map[string]any, path string, err error) {
	name := r.Name
	var old map[string]any
	if len(r.OldObject.Raw) > 0 {
		if err := json.Unmarshal(r.OldObject.Raw, &old); err != nil {
			return nil, "", fmt.Errorf("read old object: %w", err)
		}
		if name == "" {
			name, _, _ = unstructured.NestedString(old, "metadata", "name")
		}
	}
	if old == nil && r.SubResource == "" || name == "" {
		return nil, "", nil
	}
	if r.SubResource != "" && (old == nil || old["kind"] == "Scale") {
		old = plainParent(r)
	}
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"} {
		unstructured.RemoveNestedField(old, "metadata", field)
	}
	path = pathOf(r, namespaced, name)
	create := oracle.Call{Method: http.MethodPost, Path: pathOf(r, namespaced, ""), Body: encoded(old)}
	answer, err := s.oracle.Client.Do(ctx, create)
	if err != nil {
		return nil, "", err
	}
	if answer.Code == http.StatusConflict {
		live, err := s.oracle.Client.Get(ctx, path)
		if err != nil {
			return nil, "", err
		}
		asStored(old, live)
		if answer, err = s.oracle.Client.Do(ctx, oracle.Call{Method: http.MethodPut, Path: path, Body: encoded(old)}); err != nil {
			return nil, "", err
		}
	}
	if !answer.OK() {
		return nil, "", fmt.Errorf("the API server does not store the old object: %s", answer.Message())
	}
	return answer.Object(), path, nil
}

// plainParent is an object that a subresource can be below of, where the case does not say which.
func plainParent(r *admissionv1.AdmissionRequest) map[string]any {
	containers := []any{map[string]any{"name": "app", "image": "registry.example.com/app:1.4"}}
	metadata := map[string]any{"name": r.Name, "namespace": r.Namespace}
	switch r.Resource.Resource {
	case "pods":
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": map[string]any{"containers": containers}}
	case "serviceaccounts":
		return map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
	}
	labels := map[string]any{"app": "web"}
	return map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": map[string]any{
		"selector": map[string]any{"matchLabels": labels},
		"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": map[string]any{"containers": containers}},
	}}
}

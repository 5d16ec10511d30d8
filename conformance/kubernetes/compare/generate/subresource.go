package generate

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// connects are the subresources that connect to something, with the kind of their options.
var connects = map[string]map[string]string{
	"pods":     {"exec": "PodExecOptions", "attach": "PodAttachOptions", "portforward": "PodPortForwardOptions", "proxy": "PodProxyOptions"},
	"services": {"proxy": "ServiceProxyOptions"},
	"nodes":    {"proxy": "NodeProxyOptions"},
}

// below makes up a request to a subresource of an object that exists.
func (g *Requests) below(k *Kind, r *Request) *Request {
	if options := connects[k.Resource][r.Subresource]; options != "" {
		return g.connect(k, r, options)
	}
	path, live := g.existing(k, r)
	if live == nil {
		return nil
	}
	r.Call.Path = path + "/" + r.Subresource
	switch r.Subresource {
	case "status":
		r.Operation = admission.Update
		verb := pick(g.Rand, "update", "merge patch", "apply")
		r.title(verb)
		g.change(k, r, live, verb)
	case "finalize":
		r.Operation = admission.Update
		r.title("update")
		g.change(k, r, live, "update")
	case "scale":
		return g.scale(r, live)
	case "ephemeralcontainers":
		return g.patchPod(r, live, `{"spec":{"ephemeralContainers":[{"name":"debug","image":"registry.example.com/debug:1"}]}}`)
	case "resize":
		return g.patchPod(r, live, `{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"200m"}}}]}}`)
	case "eviction":
		r.DryRun = true // The other requests need the pod.
		g.post(r, live, "policy", "Eviction", map[string]any{})
	case "binding":
		g.post(r, live, "", "Binding", map[string]any{"target": map[string]any{"apiVersion": "v1", "kind": "Node", "name": "web"}})
		if chance(g.Rand, 2) {
			return g.legacyBinding(r)
		}
	case "token":
		g.post(r, live, "authentication.k8s.io", "TokenRequest", map[string]any{"spec": map[string]any{"audiences": []any{"compare"}}})
	}
	return r
}

// connect makes a request that ends at a kubelet. There is none, which the API server finds out after admission.
func (g *Requests) connect(k *Kind, r *Request, options string) *Request {
	r.Operation = admission.Connect
	r.title("connect")
	r.Kind = schema.GroupVersionKind{Version: "v1", Kind: options}
	path, live := g.existing(k, r)
	if g.Ghosts && k.Namespaced && chance(g.Rand, 2) {
		r.Namespace = ghost
		path, live = k.path(ghost)+"/"+r.Name, k.named(ghost, r.Name, nil)
	}
	r.Call.Method, r.Call.Path = http.MethodPost, path+"/"+r.Subresource
	r.Object = map[string]any{"apiVersion": "v1", "kind": options}
	switch r.Subresource {
	case "exec":
		r.query("command", "sh")
		r.query("stdout", "true")
		r.Object["command"], r.Object["stdout"], r.Object["stderr"] = []any{"sh"}, true, true
	case "portforward":
		r.query("ports", "8080")
	case "proxy":
		r.Call.Method = http.MethodGet
		r.Call.Path += "/healthz"
		r.Object["path"] = "/healthz"
	}
	r.Pasted = live
	return r
}

// scale asks for another number of replicas.
func (g *Requests) scale(r *Request, live map[string]any) *Request {
	r.Operation = admission.Update
	r.Kind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	r.OldObject = g.live(r.Call.Path)
	if r.OldObject == nil {
		return nil
	}
	replicas := int64(g.IntN(5))
	r.Object = deepCopy(r.OldObject)
	r.Object["spec"] = map[string]any{"replicas": replicas}
	r.Pasted, r.PastedOld = r.Object, r.OldObject
	if chance(g.Rand, 2) {
		r.title("update")
		r.Call.Method, r.Call.Body = http.MethodPut, encode(r.Object)
	} else {
		r.title("merge patch")
		r.Call.Method, r.Call.ContentType = http.MethodPatch, "application/merge-patch+json"
		r.Call.Body = encode(map[string]any{"spec": map[string]any{"replicas": replicas}})
	}
	if chance(g.Rand, 2) {
		r.Pasted, r.PastedOld = deepCopy(live), live
		r.Pasted["spec"].(map[string]any)["replicas"] = replicas
	}
	return r
}

// patchPod changes what only a subresource may change.
func (g *Requests) patchPod(r *Request, live map[string]any, patch string) *Request {
	r.Operation = admission.Update
	r.title("strategic patch")
	r.OldObject, r.PastedOld = live, live
	r.Object = deepCopy(live)
	if r.Subresource == "ephemeralcontainers" {
		r.Object["spec"].(map[string]any)["ephemeralContainers"] = []any{map[string]any{"name": "debug", "image": "registry.example.com/debug:1"}}
	}
	r.Pasted = r.Object
	r.Call.Method, r.Call.ContentType, r.Call.Body = http.MethodPatch, "application/strategic-merge-patch+json", []byte(patch)
	return r
}

// post creates what a subresource takes.
func (g *Requests) post(r *Request, live map[string]any, group, kind string, object map[string]any) {
	r.Operation = admission.Create
	r.title("create")
	r.Kind = schema.GroupVersionKind{Group: group, Version: "v1", Kind: kind}
	object["apiVersion"], object["kind"] = r.Kind.GroupVersion().String(), kind
	object["metadata"] = map[string]any{"name": r.Name, "namespace": r.Namespace}
	r.Pasted = live
	if kind != "Binding" && chance(g.Rand, 2) {
		// Nobody who pastes the object below which this is created says that it has labels.
		setLabels(object, g.labels())
		r.Pasted = object
	}
	r.Object = object
	r.Call.Method, r.Call.Body = http.MethodPost, encode(object)
}

// legacyBinding binds a pod through a resource of its own.
func (g *Requests) legacyBinding(r *Request) *Request {
	r.Subresource = ""
	r.Resource.Resource = "bindings"
	r.title("create")
	r.Call.Path = "/api/v1/namespaces/" + r.Namespace + "/bindings"
	r.Pasted = r.Object
	return r
}

package generate

import (
	"net/http"

	"k8s.io/apiserver/pkg/admission"
)

// ways are how objects are written, each as often as it is drawn.
var ways = []string{
	"create", "create", "create", "create", "generate", "generate", "apply new", "apply new", "put new", "update", "update", "update", "update",
	"merge patch", "merge patch", "JSON patch", "JSON patch", "strategic patch", "strategic patch", "apply", "apply",
	"delete", "delete", "delete", "delete", "deletecollection", "deletecollection",
}

// write makes up a request to objects themselves.
func (g *Requests) write(k *Kind, r *Request) *Request {
	verb := pick(g.Rand, ways...)
	switch {
	case !k.does("update") && !k.does("generate"):
		verb = "create"
	case !k.does("update"):
		verb = pick(g.Rand, "create", "generate")
	case !k.does("create"):
		verb = pick(g.Rand, "update", "merge patch", "delete")
	}
	switch verb {
	case "create", "generate":
		return g.create(k, r, verb)
	case "apply new", "put new":
		return g.createByName(k, r, verb)
	case "delete":
		return g.delete(k, r)
	case "deletecollection":
		return g.deleteCollection(k, r)
	}
	return g.update(k, r, verb)
}

// create makes a POST. Sometimes the name is taken; the API server finds out after admission.
func (g *Requests) create(k *Kind, r *Request, verb string) *Request {
	r.Operation = admission.Create
	r.title(verb)
	switch {
	case k.Nameless:
	case verb == "create" && r.DryRun && chance(g.Rand, 3):
		r.Name = pick(g.Rand, names...)
	case verb == "create":
		r.Name = g.fresh()
	}
	r.Object = k.named(r.Namespace, r.Name, g.labels())
	if k.Nameless {
		setLabels(r.Object, nil)
	}
	if verb == "generate" {
		r.Object["metadata"].(map[string]any)["generateName"] = "generated-"
	}
	if chance(g.Rand, 2) {
		delete(r.Object["metadata"].(map[string]any), "namespace") // The URL has it.
	}
	r.Call.Method, r.Call.Path, r.Call.Body = http.MethodPost, k.path(r.Namespace), encode(r.Object)
	r.Pasted = r.Object
	return r
}

// createByName makes a PUT or a server-side apply of something that does not exist.
func (g *Requests) createByName(k *Kind, r *Request, verb string) *Request {
	r.Operation = admission.Create
	r.title(verb)
	r.Name = g.fresh()
	r.Object = k.named(r.Namespace, r.Name, g.labels())
	r.Call.Path, r.Call.Body = k.path(r.Namespace)+"/"+r.Name, encode(r.Object)
	r.Call.Method = http.MethodPut
	if verb == "apply new" {
		r.apply(g.serial)
	}
	r.Pasted = r.Object
	return r
}

func (r *Request) apply(manager int) {
	r.Call.Method, r.Call.ContentType = http.MethodPatch, "application/apply-patch+yaml"
	r.query("fieldManager", "manager-"+string(rune('a'+manager%26)))
	r.query("force", "true")
}

// update changes labels of an object that exists, in one of the ways there are.
func (g *Requests) update(k *Kind, r *Request, verb string) *Request {
	r.Operation = admission.Update
	r.title(verb)
	path, live := g.existing(k, r)
	if live == nil {
		return nil
	}
	r.Call.Path = path
	g.change(k, r, live, verb)
	return r
}

// change puts new labels into the live object and sends them in one of the ways there are.
func (g *Requests) change(k *Kind, r *Request, live map[string]any, verb string) {
	r.OldObject, r.PastedOld = live, live
	r.Object = deepCopy(live)
	before, after := labelsOf(live), g.labels()
	if verb == "apply" {
		// What another manager owns stays.
		sent := map[string]any{"apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": map[string]any{"name": r.Name}}
		setLabels(sent, after)
		for key, value := range before {
			if _, ok := after[key]; !ok {
				after[key] = value
			}
		}
		setLabels(r.Object, after)
		r.Call.Body = encode(sent)
		g.serial++
		r.apply(g.serial)
		r.Pasted = r.Object
		return
	}
	setLabels(r.Object, after)
	r.Pasted = r.Object
	r.Call.Method = http.MethodPatch
	switch verb {
	case "update":
		r.Call.Method, r.Call.Body = http.MethodPut, encode(r.Object)
	case "JSON patch":
		value := map[string]any{}
		for key, v := range after {
			value[key] = v
		}
		if len(value) == 0 {
			value = nil
		}
		r.Call.ContentType = "application/json-patch+json"
		r.Call.Body = append(append([]byte(`[{"op":"add","path":"/metadata/labels","value":`), encode(value)...), "}]"...)
	default:
		r.Call.ContentType = "application/merge-patch+json"
		if verb == "strategic patch" && k.gvk.Group != "example.com" {
			r.Call.ContentType = "application/strategic-merge-patch+json"
		}
		r.Call.Body = encode(map[string]any{"metadata": map[string]any{"labels": difference(before, after)}})
	}
}

// difference is the merge patch that leads from one set of labels to another.
func difference(before, after map[string]string) map[string]any {
	patch := map[string]any{}
	for key := range before {
		patch[key] = nil
	}
	for key, value := range after {
		patch[key] = value
	}
	return patch
}

// delete makes a DELETE of an object that exists, as a dry run: the other requests need it.
func (g *Requests) delete(k *Kind, r *Request) *Request {
	r.Operation, r.DryRun = admission.Delete, true
	r.title("delete")
	path, live := g.existing(k, r)
	if live == nil {
		return nil
	}
	r.Call.Method, r.Call.Path = http.MethodDelete, path
	r.OldObject, r.Pasted = live, live
	if chance(g.Rand, 3) {
		r.query("propagationPolicy", "Background")
	}
	return r
}

// deleteCollection makes a DELETE of all objects that a selector finds. It finds one: the warnings of several requests
// to admission could not be told apart.
func (g *Requests) deleteCollection(k *Kind, r *Request) *Request {
	r.Operation, r.DryRun, r.Collection = admission.Delete, true, true
	r.title("deletecollection")
	_, live := g.existing(k, r)
	if live == nil || k.Resource == "namespaces" {
		return nil
	}
	r.query("fieldSelector", "metadata.name="+r.Name)
	r.Call.Method, r.Call.Path = http.MethodDelete, k.path(r.Namespace)
	r.OldObject, r.Pasted = live, live
	r.Name = ""
	return r
}

package request

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// carried makes the object that a request to a subresource carries when its kind is not
// that of the pasted object: exec carries its options, scale a Scale. Only what follows
// from the pasted object is filled in; openCarried names the rest.
func (d *draft) carried(from manifest.Document) manifest.Document {
	kind := d.request.Kind
	object := map[string]any{"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind}
	made := manifest.Document{Source: from.Source, Index: from.Index, Line: from.Line, Object: &unstructured.Unstructured{Object: object}}
	if isConnect(d.target) {
		return made
	}
	// The API server builds a Scale without the labels of what is scaled
	// (k8s.io/kubernetes/pkg/registry/apps/deployment/storage/storage.go).
	object["metadata"] = map[string]any{}
	if d.request.Name != "" {
		setMetadata(made.Object, "name", d.request.Name)
	}
	switch d.target.Subresource {
	case "scale":
		if replicas, ok, _ := unstructured.NestedFieldNoCopy(from.Object.Object, "spec", "replicas"); ok && replicas != nil {
			object["spec"] = map[string]any{"replicas": replicas}
		}
	case "binding":
		target := map[string]any{"apiVersion": "v1", "kind": "Node"}
		if node, _, _ := unstructured.NestedString(from.Object.Object, "spec", "nodeName"); node != "" {
			target["name"] = node
		}
		object["target"] = target
	}
	return made
}

// carriedOpen lists what of the object of a subresource is up to who asks.
var carriedOpen = map[string][]string{
	"PodExecOptions":        {"stdin", "stdout", "stderr", "tty", "container", "command"},
	"PodAttachOptions":      {"stdin", "stdout", "stderr", "tty", "container"},
	"PodPortForwardOptions": {"ports"},
	"PodProxyOptions":       {"path"},
	"ServiceProxyOptions":   {"path"},
	"NodeProxyOptions":      {"path"},
	"Eviction":              {"deleteOptions"},
	"TokenRequest":          {"spec"},
	"Scale":                 {"status"},
}

// openCarried leaves open what carried could not fill in.
func (d *draft) openCarried() {
	pasted := d.document.Object.GroupVersionKind()
	if d.isReview || d.object == nil || pasted == d.request.Kind {
		return
	}
	for _, field := range carriedOpen[d.request.Kind.Kind] {
		d.open("object."+field, "the "+field+" of the "+d.request.Kind.Kind)
		if d.old != nil {
			d.open("oldObject."+field, "the "+field+" of the old "+d.request.Kind.Kind)
		}
	}
	if node, _, _ := unstructured.NestedString(d.object.Object.Object, "target", "name"); d.request.Kind.Kind == "Binding" && node == "" {
		d.open("object.target.name", "the node that the pod is bound to")
	}
	if _, ok := d.object.Object.Object["spec"]; d.request.Kind.Kind == "Scale" && !ok {
		d.open("object.spec", "the number of replicas")
	}
	d.guess("object", d.request.Kind.Kind+", made from the "+pasted.Kind, "a request to "+resourceName(d.target)+" carries this kind")
}

package request

import (
	"fmt"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// chooseName finds the name of the request.
func (d *draft) chooseName() bool {
	named, said := d.document.Object.GetName(), d.ask.Name
	if named != "" && said != "" && named != said {
		d.fail("metadata.name", fmt.Sprintf("the name of the object %q does not match the name %q", named, said), "say only one of them")
		return false
	}
	d.request.Name = named
	if named == "" {
		d.request.Name = said
	}
	if d.ask.Collection && d.request.Operation == admission.Delete {
		d.request.Name = ""
	}
	return true
}

// chooseNamespace finds the namespace of the request from what was said and what stands
// in the object.
func (d *draft) chooseNamespace(said, written string) bool {
	switch {
	case isNamespace(d.request.Resource):
		d.request.Namespace = d.request.Name
	case !d.target.Namespaced:
		d.request.Namespace = ""
	case said != "" && written != "" && said != written:
		path := "metadata.namespace"
		if d.isReview {
			path = "request.object." + path
		}
		d.fail(path, fmt.Sprintf("the namespace from the provided object %q does not match the namespace %q", written, said), "say only one of them")
		return false
	case said != "":
		d.request.Namespace = said
	case written != "":
		d.request.Namespace = written
	default:
		d.request.Namespace = "default"
		d.guess("request.namespace", "default", "neither the object nor anybody said a namespace")
	}
	return true
}

// openName leaves open a name that nobody said. The API server generates a name between
// the two halves of admission: the mutating half sees none, the validating half sees it.
func (d *draft) openName() {
	r := &d.request
	if r.Name != "" || d.ask.Collection {
		return
	}
	var generate string
	if hasMetadata(d.object) {
		generate = d.object.Object.GetGenerateName()
	}
	switch {
	case r.Operation == admission.Create && generate != "":
		d.openValidating("request.name", "the generated name")
		d.openValidating("object.metadata.name", "the generated name")
		if isNamespace(r.Resource) {
			d.openValidating(`object.metadata.labels["kubernetes.io/metadata.name"]`, "the generated name")
		}
	case d.isReview:
	case r.Operation == admission.Connect:
		d.open("request.name", "the name of what is connected to")
	default:
		d.open("request.name", "the name of the object")
		if d.object != nil {
			d.open("object.metadata.name", "the name of the object")
		}
		if d.old != nil {
			d.open("oldObject.metadata.name", "the name of the object")
		}
	}
}

// hasMetadata reports whether there is an object, and one whose metadata can be read.
func hasMetadata(o *manifest.Document) bool {
	if o == nil {
		return false
	}
	_, ok := o.Object.Object["metadata"].(map[string]any)
	return ok
}

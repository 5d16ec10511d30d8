package request

import (
	"encoding/json"
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	kjson "sigs.k8s.io/json"

	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// fromReview derives a request from an AdmissionReview.
func (d *draft) fromReview() {
	d.isReview = true
	w, parts, ok := d.readReview()
	if !ok {
		return
	}
	d.uid = w.UID
	d.object, d.old = parts["object"], parts["oldObject"]
	if !d.chooseReviewed(w) || !d.chooseReviewedOperation(w) {
		return
	}
	d.request.User = w.UserInfo
	switch {
	case d.ask.DryRun != nil:
		d.request.DryRun = *d.ask.DryRun
	case w.DryRun != nil:
		d.request.DryRun = *w.DryRun
	}
	d.placeReviewed(w)
	if options := parts["options"]; options != nil && d.request.Operation != admission.Connect {
		d.request.Options = d.decodeOptions(options)
	}
}

// readReview reads the request of the review. Its objects are returned as documents of
// their own, because they are objects like any other.
func (d *draft) readReview() (w wire, parts map[string]*manifest.Document, ok bool) {
	request, isMap := d.document.Object.Object["request"].(map[string]any)
	if !isMap {
		d.fail("request", "the AdmissionReview has no request", "paste the review as it was sent to the webhook, not its response")
		return w, nil, false
	}
	rest := maps.Clone(request)
	parts = map[string]*manifest.Document{}
	for _, field := range []string{"object", "oldObject", "options"} {
		delete(rest, field)
		switch value := request[field].(type) {
		case nil:
		case map[string]any:
			part := d.document.Part("request."+field, value)
			part.Object = part.Object.DeepCopy()
			parts[field] = &part
		default:
			d.fail("request."+field, fmt.Sprintf("request.%s is not an object", field), "write the object there, or null")
			return w, nil, false
		}
	}
	data, err := json.Marshal(rest)
	if err != nil {
		d.fail("request", "the request cannot be written as JSON: "+err.Error(), "correct it")
		return w, nil, false
	}
	strict, err := kjson.UnmarshalStrict(data, &w, kjson.DisallowUnknownFields)
	if err != nil {
		d.fail("request", "the request is not that of an AdmissionReview: "+err.Error(), "write it as admission.k8s.io/v1 has it")
		return w, nil, false
	}
	for _, err := range strict {
		d.problems = append(d.problems, d.document.Problem(manifest.Warning, "request", fmt.Sprintf("the request has an %v, which is dropped", err), "check the spelling"))
	}
	return w, parts, true
}

// chooseReviewed finds the resource and the kind of the request. A review as a webhook
// records it may have two: those it was sent with, and those that the webhook asked for
// under matchPolicy Equivalent, to which the object was converted.
func (d *draft) chooseReviewed(w wire) bool {
	r := &d.request
	written := w.Resource
	if w.Kind != nil {
		r.Kind = schema.GroupVersionKind(*w.Kind)
	}
	r.Subresource = w.SubResource
	kindOfObject := d.kindOfObject()
	if sent := w.RequestKind; sent != nil && w.RequestResource != nil && schema.GroupVersionKind(*sent) != r.Kind {
		if kindOfObject != r.Kind {
			r.Kind, r.Subresource, written = schema.GroupVersionKind(*sent), w.RequestSubResource, w.RequestResource
		} else {
			d.guess("request.kind", nameOf(r.Kind), fmt.Sprintf("the request was sent as %s, but the object has been converted to this kind", nameOf(schema.GroupVersionKind(*sent))))
		}
	}
	if d.ask.Subresource != "" {
		r.Subresource = d.ask.Subresource
	}
	if r.Kind.Empty() {
		if kindOfObject.Empty() {
			d.fail("request", "the request has neither a kind nor an object", "say request.kind, as group, version and kind")
			return false
		}
		r.Kind = kindOfObject
		d.guess("request.kind", nameOf(r.Kind), "the review says no kind, and this is that of its object")
	}
	return d.sameKind() && d.chooseReviewedResource(written)
}

// chooseReviewedResource takes the resource that the review says, or the one of its kind.
func (d *draft) chooseReviewedResource(written *metav1.GroupVersionResource) bool {
	r := &d.request
	if written != nil && written.Resource != "" {
		r.Resource = schema.GroupVersionResource(*written)
	} else {
		found, ok := d.resources.ForKind(r.Kind)
		if !ok {
			d.fail("request", fmt.Sprintf("the review says no resource, and the kind %s is not known", nameOf(r.Kind)), "say request.resource, as group, version and resource")
			return false
		}
		r.Resource = found.GroupVersionResource
		d.guess("request.resource", found.GroupResource().String(), "the review says no resource, and this is that of its kind")
	}
	var known bool
	if d.target, known = d.resources.Find(r.Resource, r.Subresource); !known {
		d.target = resource.Resource{GroupVersionResource: r.Resource, Subresource: r.Subresource, Kind: r.Kind}
	}
	return true
}

// kindOfObject is the kind that the objects of the review say.
func (d *draft) kindOfObject() schema.GroupVersionKind {
	for _, o := range []*manifest.Document{d.object, d.old} {
		if o != nil && o.Object.GetKind() != "" {
			return o.Object.GroupVersionKind()
		}
	}
	return schema.GroupVersionKind{}
}

// sameKind gives the objects of the review its kind, and reports one that has another.
func (d *draft) sameKind() bool {
	for _, o := range []*manifest.Document{d.object, d.old} {
		if o == nil {
			continue
		}
		if kind, _ := o.Object.Object["kind"].(string); kind == "" {
			o.Object.SetGroupVersionKind(d.request.Kind)
		}
		if kind := o.Object.GroupVersionKind(); kind != d.request.Kind {
			d.problems = append(d.problems, o.Problem(manifest.Error, "kind",
				fmt.Sprintf("the object is a %s, but the request is about a %s", nameOf(kind), nameOf(d.request.Kind)), "correct one of them"))
			return false
		}
	}
	return true
}

// chooseReviewedOperation takes the operation of the review unless another was said, and
// moves the objects to where that operation has them.
func (d *draft) chooseReviewedOperation(w wire) bool {
	written := w.Operation
	if written == "" {
		written = string(d.likelyOperation())
		if d.ask.Operation == "" && !d.ask.Collection {
			d.guess("request.operation", written, "the review says no operation, and this fits its objects")
		}
	}
	said := d.ask.Operation
	switch {
	case said == "" && d.ask.Collection:
		said = string(admission.Delete)
	case said == "":
		said = written
	}
	op, ok := d.operation(said)
	if !ok {
		return false
	}
	d.request.Operation = op
	if string(op) != w.Operation {
		d.moveObjects()
	}
	if d.ask.OldObject != nil && op == admission.Update {
		old := *d.ask.OldObject
		old.Object = old.Object.DeepCopy()
		d.old = &old
		return d.sameKind()
	}
	return true
}

func (d *draft) likelyOperation() admission.Operation {
	switch {
	case isConnect(d.target):
		return admission.Connect
	case d.object != nil && d.old != nil:
		return admission.Update
	case d.old != nil:
		return admission.Delete
	}
	return admission.Create
}

func (d *draft) moveObjects() {
	switch d.request.Operation {
	case admission.Delete:
		if d.old == nil {
			d.old = d.object
		}
		d.object = nil
	case admission.Create:
		if d.object == nil {
			d.object = d.old
		}
		d.old = nil
	case admission.Update:
		if d.object == nil {
			d.object, d.old = d.old, nil
		}
	case admission.Connect:
		d.old = nil
	}
}

// placeReviewed finds the name and the namespace of the request.
func (d *draft) placeReviewed(w wire) {
	r := &d.request
	var name, namespace string
	for _, o := range []*manifest.Document{d.old, d.object} {
		if hasMetadata(o) {
			name, namespace = o.Object.GetName(), o.Object.GetNamespace()
		}
	}
	switch r.Name = w.Name; {
	case d.ask.Collection && r.Operation == admission.Delete:
		r.Name = ""
	case d.ask.Name != "":
		r.Name = d.ask.Name
	case w.Name == "" && name != "" && r.Operation == admission.Create:
		r.Name = name
		d.guess("request.name", name, "the review says no name, and this is that of its object")
	}
	said := d.ask.Namespace
	if said == "" {
		said = w.Namespace
	}
	if _, known := d.resources.Find(r.Resource, r.Subresource); !known {
		d.target.Namespaced = w.Namespace != "" || namespace != ""
	}
	switch {
	case isNamespace(r.Resource) && w.Namespace != "":
		r.Namespace = w.Namespace
	case isNamespace(r.Resource) && r.Operation == admission.Create && hasMetadata(d.object) && d.object.Object.GetGenerateName() != "":
		// The namespace of such a request is taken from the object before it has a name.
		r.Namespace = ""
	case !d.chooseNamespace(said, namespace):
		return
	}
	for _, o := range []*manifest.Document{d.object, d.old} {
		if hasMetadata(o) && o.Object.GetNamespace() == "" && d.target.Namespaced {
			setMetadata(o.Object, "namespace", r.Namespace)
		}
	}
}

// decodeOptions decodes the options of the request to the type of its operation.
func (d *draft) decodeOptions(o *manifest.Document) runtime.Object {
	var into runtime.Object
	switch kind := o.Object.GetKind(); {
	case kind == "PatchOptions":
		into = &metav1.PatchOptions{}
	case kind == "CreateOptions" || kind == "" && d.request.Operation == admission.Create:
		into = &metav1.CreateOptions{}
	case kind == "UpdateOptions" || kind == "" && d.request.Operation == admission.Update:
		into = &metav1.UpdateOptions{}
	case kind == "DeleteOptions" || kind == "":
		into = &metav1.DeleteOptions{}
	default:
		return o.Object
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object.Object, into); err != nil {
		d.problems = append(d.problems, o.Problem(manifest.Error, "", fmt.Sprintf("the options are not valid: %v", err), "correct them, or leave them out"))
		return nil
	}
	return into
}

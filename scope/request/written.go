package request

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// system are the fields of metadata that every stored object has and that only the API
// server writes. The last one changes with every update, the others do not.
var system = []string{"uid", "creationTimestamp", "resourceVersion", "generation", "managedFields"}

// wiped are the fields of metadata that the API server removes from an object that is
// created (k8s.io/apiserver/pkg/registry/rest/meta.go, WipeObjectMetaSystemFields).
var wiped = []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

// betweenHalves lists what the API server writes into a new object after the mutating
// half of admission, beside metadata, unless the object has it already
// (k8s.io/apiserver/pkg/registry/generic/registry/store.go, create, and the strategies).
var betweenHalves = map[string][]string{
	"/Namespace": {"spec.finalizers"},
	"/Service":   {"spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy", "spec.healthCheckNodePort"},
	"batch/Job":  {"spec.selector", "spec.template.metadata.labels"},
}

// beforeWebhooks lists what built-in plugins write into a new object before any policy or
// webhook sees it, unless the object has it already
// (k8s.io/kubernetes/pkg/kubeapiserver/options/plugins.go).
var beforeWebhooks = map[string][]string{
	"/Pod": {"spec.serviceAccountName", "spec.serviceAccount", "spec.priority", "spec.priorityClassName", "spec.preemptionPolicy"},
}

// wipe removes from a new object what the API server removes, and tells.
func (d *draft) wipe(u *unstructured.Unstructured) {
	metadata, _ := u.Object["metadata"].(map[string]any)
	for _, field := range wiped {
		if _, ok := metadata[field]; ok {
			delete(metadata, field)
			d.guess("object.metadata."+field, "absent", "the API server removes it from an object that is created")
		}
	}
}

// openWritten leaves open what the API server writes into the objects and nobody pasted.
// A review was recorded after that, so nothing in it is open.
func (d *draft) openWritten() {
	if d.isReview {
		return
	}
	d.openCarried()
	const fact = "what the API server writes there"
	switch d.request.Operation {
	case admission.Create:
		d.openCreated(fact)
	case admission.Update:
		d.openAbsent("object.metadata.", d.object, system[:len(system)-1], fact)
		d.openAbsent("oldObject.metadata.", d.old, system, fact)
		d.openUpdated(fact)
	case admission.Delete:
		d.openAbsent("oldObject.metadata.", d.old, system, fact)
	}
}

// openUpdated leaves open what the API server writes into an object on its way to an
// update. The managers of fields are written first; after the mutating half, whatever the
// request may not change is put back from the old object (the strategies of
// k8s.io/kubernetes/pkg/registry, and k8s.io/apiextensions-apiserver/pkg/registry/customresource).
func (d *draft) openUpdated(fact string) {
	d.open("object.metadata.managedFields", fact)
	if d.has("metadata.generation") {
		d.openValidating("object.metadata.generation", fact)
	}
	const kept = "what the old object has there"
	if d.hasStatus() && !d.sameAsOld("status") {
		d.openValidating("object.status", kept)
	}
	if !slices.Contains(writingPart, d.request.Subresource) {
		return
	}
	for _, field := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if !d.sameAsOld("metadata", field) {
			d.openValidating("object.metadata."+field, kept)
		}
	}
	spec, _ := d.object.Object.Object["spec"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		if !slices.Contains(written[d.request.Subresource], field) && !d.sameAsOld("spec", field) {
			d.openValidating("object.spec."+field, kept)
		}
	}
}

// writingPart are the subresources that write a part of their parent and carry it whole.
var writingPart = []string{"status", "approval", "ephemeralcontainers", "resize"}

// written is the part of the spec that such a subresource writes.
var written = map[string][]string{"ephemeralcontainers": {"ephemeralContainers"}, "resize": {"containers", "initContainers"}}

// sameAsOld reports whether the object has the same as the old object at a path.
func (d *draft) sameAsOld(path ...string) bool {
	if d.old == nil {
		return false
	}
	now, has, err := unstructured.NestedFieldNoCopy(d.object.Object.Object, path...)
	before, had, oldErr := unstructured.NestedFieldNoCopy(d.old.Object.Object, path...)
	return err == nil && oldErr == nil && has == had && equality.Semantic.DeepEqual(now, before)
}

// openCreated leaves open what the API server writes into a new object. The manager of
// its fields is written before the mutating half of admission
// (k8s.io/apiserver/pkg/endpoints/handlers/create.go), the rest after it.
func (d *draft) openCreated(fact string) {
	d.openAbsent("object.metadata.", d.object, []string{"managedFields"}, fact)
	for _, field := range []string{"uid", "creationTimestamp", "generation"} {
		d.openValidating("object.metadata."+field, fact)
	}
	if d.request.Subresource != "" {
		return
	}
	kind := d.request.Kind.Group + "/" + d.request.Kind.Kind
	for _, path := range beforeWebhooks[kind] {
		if !d.has(path) {
			d.open("object."+path, fact)
		}
	}
	for _, path := range betweenHalves[kind] {
		if !d.has(path) {
			d.openValidating("object."+path, fact)
		}
	}
	if d.hasStatus() {
		d.openValidating("object.status", "the status that the API server writes")
	}
}

// hasStatus reports whether the request goes to a resource whose status is written by a
// subresource of its own, and therefore never by this request.
func (d *draft) hasStatus() bool {
	return d.request.Subresource == "" && slices.Contains(d.resources.Subresources(d.request.Resource), "status")
}

// openAbsent leaves open the fields of metadata that an object does not have.
func (d *draft) openAbsent(prefix string, o *manifest.Document, fields []string, fact string) {
	if o == nil {
		return
	}
	metadata, _ := o.Object.Object["metadata"].(map[string]any)
	for _, field := range fields {
		if metadata[field] == nil {
			d.open(prefix+field, fact)
		}
	}
}

// has reports whether the object has a path of plain fields.
func (d *draft) has(path string) bool {
	value, ok, err := unstructured.NestedFieldNoCopy(d.object.Object.Object, strings.Split(path, ".")...)
	return ok && err == nil && value != nil
}

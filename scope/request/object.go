package request

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// fromObject derives a request from a plain object.
func (d *draft) fromObject() {
	parent, ok := d.findResource()
	if !ok || !d.findTarget(parent) || !d.chooseOperation() {
		return
	}
	d.request.Resource, d.request.Subresource, d.request.Kind = d.target.GroupVersionResource, d.target.Subresource, d.target.Kind
	if !d.chooseName() || !d.chooseNamespace(d.ask.Namespace, d.document.Object.GetNamespace()) {
		return
	}
	d.chooseObjects()
	switch {
	case d.ask.DryRun != nil:
		d.request.DryRun = *d.ask.DryRun
	case d.request.Operation != admission.Connect:
		d.guess("request.dryRun", "false", "nobody said that it is a dry run")
	}
}

// findResource returns the resource that the pasted kind belongs to.
func (d *draft) findResource() (resource.Resource, bool) {
	kind := d.document.Object.GroupVersionKind()
	found, ok := d.resources.ForKind(kind)
	switch {
	case ok && found.Served:
		return found, true
	case ok:
		d.fail("apiVersion", fmt.Sprintf("the server does not serve %s", nameOf(kind)), "use a version that its CustomResourceDefinition marks as served")
		return found, false
	}
	carriers := d.carriers(kind)
	switch len(carriers) {
	case 0:
		d.fail("kind", fmt.Sprintf("the kind %s is not known", nameOf(kind)), d.wayOutOfUnknown(kind))
	case 1:
		d.ask.Subresource = carriers[0].Subresource
		parent, _ := d.resources.Find(carriers[0].GroupVersionResource, "")
		return parent, true
	default:
		d.fail("kind", fmt.Sprintf("%s is the object of several resources (%s)", kind.Kind, names(carriers)),
			"paste the object that it is about and say the subresource, or paste an AdmissionReview, which names the resource itself")
	}
	return found, false
}

// carriers returns the subresources whose requests carry a kind.
func (d *draft) carriers(kind schema.GroupVersionKind) []resource.Resource {
	var found []resource.Resource
	for _, r := range d.resources.All() {
		if r.Kind == kind && r.Subresource != "" && (d.ask.Subresource == "" || d.ask.Subresource == r.Subresource) {
			found = append(found, r)
		}
	}
	return found
}

func names(all []resource.Resource) string {
	var list []string
	for _, r := range all {
		list = append(list, resourceName(r))
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}

func resourceName(r resource.Resource) string {
	name := r.GroupResource().String()
	if r.Subresource != "" {
		name += "/" + r.Subresource
	}
	return name
}

func nameOf(kind schema.GroupVersionKind) string {
	return kind.GroupVersion().String() + " " + kind.Kind
}

func (d *draft) wayOutOfUnknown(kind schema.GroupVersionKind) string {
	const wayOut = "add its CustomResourceDefinition to the cluster (with -f), or paste an AdmissionReview, which names the resource itself"
	var like []string
	for _, k := range d.resources.KindsLike(kind.Kind) {
		like = append(like, nameOf(k))
	}
	if len(like) == 0 {
		return wayOut
	}
	return "known is " + strings.Join(like, ", ") + "; otherwise " + wayOut
}

// findTarget finds the resource or subresource that the request goes to.
func (d *draft) findTarget(parent resource.Resource) bool {
	var ok bool
	if d.target, ok = d.resources.Find(parent.GroupVersionResource, d.ask.Subresource); ok {
		return true
	}
	hint := "leave the subresource out"
	if known := d.resources.Subresources(parent.GroupVersionResource); len(known) > 0 {
		hint = "it has " + strings.Join(known, ", ")
	}
	d.fail("kind", fmt.Sprintf("%s has no subresource %q", parent.GroupResource(), d.ask.Subresource), hint)
	return false
}

// isConnect reports whether requests to a resource connect to something. Their objects
// are nothing but options.
func isConnect(r resource.Resource) bool {
	return r.Subresource != "" && strings.HasSuffix(r.Kind.Kind, "Options")
}

// operations returns what admission can be asked about a resource, the most likely first.
func operations(r resource.Resource) []admission.Operation {
	if isConnect(r) {
		return []admission.Operation{admission.Connect}
	}
	does := func(verbs ...string) bool {
		return len(r.Verbs) == 0 || slices.ContainsFunc(verbs, func(v string) bool { return slices.Contains(r.Verbs, v) })
	}
	var all []admission.Operation
	if does("create") {
		all = append(all, admission.Create)
	}
	if does("update", "patch") {
		all = append(all, admission.Update)
	}
	if does("delete", "deletecollection") {
		all = append(all, admission.Delete)
	}
	if r.Subresource != "" && len(r.Verbs) == 0 {
		all = []admission.Operation{admission.Update}
	}
	return all
}

// chooseOperation takes the operation that was said, or guesses it.
func (d *draft) chooseOperation() bool {
	possible := operations(d.target)
	if len(possible) == 0 {
		d.fail("kind", fmt.Sprintf("%s can only be read, and reading never reaches admission", resourceName(d.target)), "ask about a resource that can be written")
		return false
	}
	if d.ask.Operation == "" && d.ask.Collection {
		d.ask.Operation = string(admission.Delete)
	}
	if d.ask.Operation == "" {
		d.request.Operation = possible[0]
		d.guess("request.operation", string(possible[0]), d.whyOperation(possible))
		return true
	}
	op, ok := d.operation(d.ask.Operation)
	if !ok {
		return false
	}
	if !slices.Contains(possible, op) {
		d.fail("kind", fmt.Sprintf("%s does not take %s", resourceName(d.target), op), wayOutOfOperation(op, possible))
		return false
	}
	if d.ask.Collection && op != admission.Delete {
		d.fail("kind", fmt.Sprintf("only DELETE is for all objects at once, not %s", op), "leave one of them out")
		return false
	}
	d.request.Operation = op
	return true
}

func (d *draft) whyOperation(possible []admission.Operation) string {
	if len(possible) == 1 {
		return fmt.Sprintf("%s takes nothing else", resourceName(d.target))
	}
	return "nobody said the operation"
}

func wayOutOfOperation(op admission.Operation, possible []admission.Operation) string {
	if op == admission.Connect {
		return "say the subresource that is connected to: exec, attach, portforward or proxy"
	}
	var all []string
	for _, p := range possible {
		all = append(all, string(p))
	}
	return "it takes " + strings.Join(all, ", ")
}

// chooseObjects puts the pasted object where the operation has it.
func (d *draft) chooseObjects() {
	r := &d.request
	if r.Operation == admission.Delete {
		d.old = d.prepared(d.document)
		return
	}
	if d.document.Object.GroupVersionKind() == r.Kind {
		d.object = d.prepared(d.document)
	} else {
		d.object = d.prepared(d.carried(d.document))
	}
	if r.Operation != admission.Update || d.ask.OldObject == nil {
		return
	}
	old := *d.ask.OldObject
	switch old.Object.GroupVersionKind() {
	case r.Kind:
		d.old = d.prepared(old)
	case d.document.Object.GroupVersionKind():
		d.old = d.prepared(d.carried(old))
	default:
		d.problems = append(d.problems, old.Problem(manifest.Error, "kind",
			fmt.Sprintf("the old object is a %s, but the request is about a %s", nameOf(old.Object.GroupVersionKind()), nameOf(r.Kind)), "give the same object as it was before"))
	}
}

// prepared returns a copy of an object with the name and the namespace of the request, as
// the API server sets them before anybody looks.
func (d *draft) prepared(o manifest.Document) *manifest.Document {
	o.Object = o.Object.DeepCopy()
	if isConnect(d.target) {
		return &o
	}
	if problem, ok := o.CheckMetadata(); !ok {
		d.problems = append(d.problems, problem)
		return &o
	}
	setMetadata(o.Object, "namespace", objectNamespace(d.request.Resource, d.request.Namespace))
	if o.Object.GetName() == "" && d.request.Name != "" {
		setMetadata(o.Object, "name", d.request.Name)
	}
	if d.request.Operation == admission.Create {
		d.wipe(o.Object)
	}
	return &o
}

// objectNamespace is the namespace that stands in an object: none in a Namespace, although
// the request for it has one.
func objectNamespace(gvr schema.GroupVersionResource, namespace string) string {
	if isNamespace(gvr) {
		return ""
	}
	return namespace
}

// setMetadata sets a field of metadata, or removes it if the value is empty.
func setMetadata(u *unstructured.Unstructured, field, value string) {
	metadata, ok := u.Object["metadata"].(map[string]any)
	switch {
	case value == "":
		delete(metadata, field)
	case ok:
		metadata[field] = value
	default:
		u.Object["metadata"] = map[string]any{field: value}
	}
}

package request

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Derive works out the request that the documents and the person's words describe. It
// returns nothing if there is no request to be had from them; the problems say why.
func Derive(documents []manifest.Document, ask Ask, facts *scope.Facts) (*Derived, []manifest.Problem) {
	document, problem := choose(documents, ask.Document)
	if problem != nil {
		return nil, []manifest.Problem{*problem}
	}
	d := newDraft(document, ask, facts)
	var review json.RawMessage
	kind := document.Object.GroupVersionKind()
	switch {
	case isAccessReview(kind):
		review = d.finishAccess(d.fromAccessReview())
	case kind.Group == "admission.k8s.io" && kind.Kind == "AdmissionReview":
		d.fromReview()
		review = d.finish()
	default:
		d.fromObject()
		review = d.finish()
	}
	if d.failed() {
		return nil, d.problems
	}
	derived := d.derived(review)
	derived.Documents, derived.Offers = Choices(documents), offers(d.object)
	return derived, d.problems
}

// derived is the finished request.
func (d *draft) derived(review json.RawMessage) *Derived {
	return &Derived{
		Request: &d.request, Review: review, Guesses: d.guesses, Document: d.document, Documents: Choices([]manifest.Document{d.document}),
		object: d.object, oldObject: d.old, isReview: d.isReview, isAccess: d.isAccess,
	}
}

// choose returns the document that is meant.
func choose(documents []manifest.Document, index int) (manifest.Document, *manifest.Problem) {
	if len(documents) == 0 {
		return manifest.Document{}, &manifest.Problem{Message: "there is no object to ask about", Hint: "paste a manifest or an AdmissionReview", Severity: manifest.Error}
	}
	if index == 0 {
		return documents[0], nil
	}
	i := slices.IndexFunc(documents, func(d manifest.Document) bool { return d.Index == index })
	if i < 0 {
		return manifest.Document{}, &manifest.Problem{
			Source: documents[0].Source, Document: index, Message: "there is no object with this number", Severity: manifest.Error,
			Hint: fmt.Sprintf("the last one is %d", documents[len(documents)-1].Index),
		}
	}
	return documents[i], nil
}

// draft is a request in the making.
type draft struct {
	ask       Ask
	resources *resource.Set
	document  manifest.Document
	isReview  bool
	// isAccess says that flow control alone is asked; place then makes problems about a part
	// of the request.
	isAccess bool
	place    placer
	request  scope.Request
	uid      string
	// target is the resource or subresource that the request goes to.
	target resource.Resource
	// object and old are the objects before they are decoded. Their documents know where
	// they stand, unless they were made up from the pasted one.
	object, old *manifest.Document

	guesses  []Guess
	problems []manifest.Problem
}

func newDraft(document manifest.Document, ask Ask, facts *scope.Facts) *draft {
	d := &draft{ask: ask, document: document}
	if facts != nil {
		d.resources = facts.Resources
	}
	if d.resources == nil {
		d.resources = resource.NewSet(nil, nil)
	}
	return d
}

func (d *draft) fail(path, message, hint string) {
	d.problems = append(d.problems, d.document.Problem(manifest.Error, path, message, hint))
}

func (d *draft) failed() bool { return manifest.Failed(d.problems) }

func (d *draft) guess(field, value, why string) {
	d.guesses = append(d.guesses, Guess{Field: field, Value: value, Why: why})
}

func (d *draft) open(path, fact string) {
	d.request.Open = append(d.request.Open, scope.Missing{Path: path, Fact: fact})
}

func (d *draft) openValidating(path, fact string) {
	d.request.OpenValidating = append(d.request.OpenValidating, scope.Missing{Path: path, Fact: fact})
}

// finish does what reviews and plain objects have in common: it decodes the objects,
// leaves open what nobody said, and writes the request down.
func (d *draft) finish() json.RawMessage {
	if d.failed() {
		return nil
	}
	r := &d.request
	r.Object, r.OldObject = d.decode(d.object), d.decode(d.old)
	if d.failed() {
		return nil
	}
	if d.ask.User != nil && !isNobody(d.ask.User) {
		r.User = d.complete(d.ask.User)
	}
	if r.User == nil || isNobody(r.User) {
		r.User = nil
		d.open(userOpen, "who asks")
	}
	if r.Options == nil && r.Operation != admission.Connect {
		d.open("request.options", "the options of the request")
	}
	if d.object == nil && r.Operation != admission.Delete {
		d.open("object", "the object")
	}
	if d.old == nil && (r.Operation == admission.Update || r.Operation == admission.Delete) {
		d.open("oldObject", "the old object")
	}
	d.openName()
	d.openWritten()
	r.Access = d.access()
	return d.review()
}

func isNobody(u *authenticationv1.UserInfo) bool {
	return u.Username == "" && u.UID == "" && len(u.Groups) == 0 && len(u.Extra) == 0
}

// decode turns an object into what CEL sees. It works on a copy, because the documents
// belong to the caller.
func (d *draft) decode(o *manifest.Document) runtime.Object {
	if o == nil {
		return nil
	}
	if problem, ok := o.CheckMetadata(); !ok {
		d.problems = append(d.problems, problem)
		return nil
	}
	typed, problems := o.Typed()
	d.problems = append(d.problems, problems...)
	return typed
}

// operation reads an operation as a person writes it.
func (d *draft) operation(said string) (admission.Operation, bool) {
	op := admission.Operation(strings.ToUpper(said))
	switch op {
	case admission.Create, admission.Update, admission.Delete, admission.Connect:
		return op, true
	}
	d.fail("request.operation", fmt.Sprintf("%q is not an operation that admission knows", said), "say CREATE, UPDATE, DELETE or CONNECT; reading never reaches admission")
	return "", false
}

// isNamespace reports whether a request is about Namespace objects, which the API server
// treats as if they were in themselves.
func isNamespace(gvr schema.GroupVersionResource) bool {
	return gvr.Group == "" && gvr.Resource == "namespaces"
}

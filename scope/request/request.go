// Package request works out what the API server would ask its policies about something a
// person pasted: an AdmissionReview, which says it whole, or a plain object, about which
// everything else has to be said or guessed; and for flow control alone, which knows
// requests that never reach admission, a SubjectAccessReview or a line as for kubectl. A
// guess is always told; what cannot even be guessed is left open.
package request

import (
	"encoding/json"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// Ask is what a person said about the request beside pasting something. What is empty was
// not said. It goes before what the pasted text says.
type Ask struct {
	// Document is the index of the document that is meant; zero means the first one.
	Document    int
	Operation   string
	Subresource string
	Namespace   string
	Name        string
	User        *authenticationv1.UserInfo
	// OldObject is the object before an UPDATE.
	OldObject *manifest.Document
	DryRun    *bool
	// Collection says that a DELETE is for all objects of a kind at once. Admission is then
	// asked about each of them, without a name.
	Collection bool
	// Verb, Resource, AllNamespaces and Path say of a request for flow control what
	// Operation and the object say of one for admission. Resource is a name that kubectl
	// knows, such as pods, deploy or certificates.cert-manager.io.
	Verb          string
	Resource      string
	AllNamespaces bool
	Path          string
}

// Derived is a request with everything a person should know about how it came to be.
type Derived struct {
	Request *scope.Request
	// Review is the request in the form of an AdmissionReview's request, or for flow control
	// alone of a SubjectAccessReview's spec. What is open is left out.
	Review json.RawMessage
	// Guesses are the parts of the request that nobody said.
	Guesses []Guess
	// Document is the document that the request is about, one of Documents.
	Document  manifest.Document
	Documents []Choice
	// Offers are the objects that controllers create because of this one, and which meet
	// other policies than it does.
	Offers []Offer

	object, oldObject *manifest.Document
	isReview          bool
	isAccess          bool
}

// Guess is one part of a request that nobody said.
type Guess struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

// Choice is one of several documents of which a person may mean any.
type Choice struct {
	Index  int    `json:"index"`
	Source string `json:"source"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Line   int    `json:"line"`
}

// Offer is an object that a controller would create.
type Offer struct {
	Title string `json:"title"`
	// Manifest is the object in YAML.
	Manifest string `json:"manifest"`
	// User is who would ask; nil if it depends on who uses the object.
	User *authenticationv1.UserInfo `json:"user,omitempty"`
	// Note says what of the object cannot be known before it exists.
	Note string `json:"note,omitempty"`
}

// Choices lists documents.
func Choices(documents []manifest.Document) []Choice {
	choices := make([]Choice, 0, len(documents))
	for _, d := range documents {
		name := d.Object.GetName()
		if name == "" {
			name = d.Object.GetGenerateName()
		}
		choices = append(choices, Choice{Index: d.Index, Source: d.Source, Kind: d.Object.GetKind(), Name: name, Line: d.Line})
	}
	return choices
}

// LineOf returns the document and the line in which a path of the request stands, such as
// object.metadata.labels["app"] or request.namespace. The result is false if the path
// does not stand there but would have to.
func (d *Derived) LineOf(path string) (document manifest.Document, line int, ok bool) {
	root, rest, _ := strings.Cut(path, ".")
	switch {
	case root == "object" && d.object != nil:
		line, ok = d.object.LineOf(rest)
		return *d.object, line, ok
	case root == "oldObject" && d.oldObject != nil:
		line, ok = d.oldObject.LineOf(rest)
		return *d.oldObject, line, ok
	case d.isAccess:
		path = accessPath(d.Document, path)
	case d.isReview:
		if path == "request.verb" {
			path = "request.operation"
		}
		if root != "request" {
			path = "request." + path
		}
	case path == "request.name" || path == "request.namespace":
		path = "metadata." + rest
	}
	line, ok = d.Document.LineOf(path)
	return d.Document, line, ok
}

package views

import (
	"encoding/json"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Ask is the request builder: what is asked, as fields that show a guess until somebody
// says otherwise.
type Ask struct {
	User, Groups, Operation, Subresource, Namespace, Name Field
	// Access is what a request without an object is for; nil for an object.
	Access *Access
	// Resource is what the request goes to; it follows from the kind.
	Resource           string
	OldObject          OldObject
	DryRun, Collection Switch
	// Text is the derived request as YAML, and Guesses are what in it nobody said.
	Text    string
	Guesses []request.Guess
	// Documents are the objects of the pasted text, if there is a choice.
	Documents []Document
	Offers    []Offer
	// Said says that a person has set some field.
	Said bool
}

// Field is one value of the request. It is said by a person, or read from the pasted
// text, or guessed, or, if it is empty, open.
type Field struct {
	Value         string
	Said, Guessed bool
	Why           string
	Options       []string
	// Empty stands among the options for no value at all.
	Empty string
	// List is the ID of a list of values to choose from, for a field that takes others, too.
	List string
}

// Switch is a yes or no of the request.
type Switch struct{ On, Shown bool }

// OldObject is the object before a write: what a person pasted, and a word for it.
type OldObject struct {
	Text, Word  string
	Open, Shown bool
}

// Document is one object of several that were pasted.
type Document struct {
	Title       string
	Index, Line int
	Chosen      bool
}

// manyDocuments is how many documents are too many to be shown one by one.
const manyDocuments = 8

// chosenOfMany returns the document that is meant if there are too many to show.
func (a Ask) chosenOfMany() *Document {
	if len(a.Documents) <= manyDocuments {
		return nil
	}
	for i := range a.Documents {
		if a.Documents[i].Chosen {
			return &a.Documents[i]
		}
	}
	return &a.Documents[0]
}

// Offer is another object that is worth asking about, such as the Pod that a Deployment
// would create, with who would ask.
type Offer struct{ Title, Note, Text, User, Groups string }

// operations are what admission is asked about.
var operations = []string{"CREATE", "UPDATE", "DELETE", "CONNECT"}

// NewBrokenAsk shows what a person set while the text cannot be read as a request. Said
// holds the fields by name.
func NewBrokenAsk(text string, said map[string]string) Ask {
	a := Ask{Said: len(said) > 0, OldObject: OldObject{Text: said["oldObject"], Word: "none"}}
	b := builder{said: said}
	if request.IsLine(text) || saysAny(said, accessFields) {
		a.Access = newAccess(b)
	}
	a.User, a.Groups, a.Operation = b.field("user", "", ""), b.field("groups", "", ""), b.field("operation", "", "CREATE")
	a.Namespace, a.Name, a.Subresource = b.field("namespace", "", ""), b.field("name", "", ""), b.field("subresource", "", "")
	a.User.List, a.Operation.Options = usersList, operations
	a.DryRun.On, a.Collection = said["dryRun"] != "", Switch{On: said["collection"] != "", Shown: said["collection"] != ""}
	return a
}

// NewAsk shows how a request was derived. Said holds the fields that a person set, by name.
func NewAsk(d *request.Derived, resources *resource.Set, said map[string]string) Ask {
	a := Ask{OldObject: OldObject{Text: said["oldObject"], Word: "none"}}
	b := builder{said: said, guesses: map[string]request.Guess{}}
	for _, g := range d.Guesses {
		b.guesses[g.Field] = g
	}
	r := d.Request
	if r.User != nil {
		a.User, a.Groups = b.field("user", "", r.User.Username), b.field("groups", "request.userInfo.groups", strings.Join(r.User.Groups, ", "))
	}
	if said["groups"] == "" && isOpen(r, "request.userInfo.groups") {
		// The groups that follow from being somebody are not all, so the field stays open.
		a.Groups = Field{}
	}
	a.User.Said, a.Groups.Said = said["user"] != "", said["groups"] != ""
	a.User.List = usersList
	a.Text, a.Guesses = requestText(d.Review), d.Guesses
	a.choices(d)
	if r.Operation == "" {
		a.access(d, resources, b)
		a.Said = saysAny(said, accessFields) || saysAny(said, commonFields)
		return a
	}
	a.Said = saysAny(said, objectFields) || saysAny(said, commonFields)
	a.Operation = b.field("operation", "request.operation", string(r.Operation))
	a.Operation.Options = operations
	a.Subresource = b.field("subresource", "", r.Subresource)
	a.Namespace, a.Name = b.field("namespace", "request.namespace", r.Namespace), b.field("name", "request.name", r.Name)
	if resources != nil {
		a.Subresource.Options, a.Subresource.Empty = append([]string{""}, resources.Subresources(r.Resource)...), noSubresource
	}
	a.Resource = r.Resource.GroupResource().String()
	a.DryRun.On, a.Collection = r.DryRun, Switch{On: said["collection"] != "", Shown: r.Operation == "DELETE"}
	a.oldObject(r)
	return a
}

// Sort says which of the two sorts of text the fields belong to: an object, or a line or
// review that stands for a request without one.
func (a Ask) Sort() string {
	if a.Access != nil {
		return "line"
	}
	return "object"
}

// builder makes fields.
type builder struct {
	said    map[string]string
	guesses map[string]request.Guess
}

func (b builder) field(name, path, value string) Field {
	if said, ok := b.said[name]; ok {
		return Field{Value: said, Said: true}
	}
	guess, guessed := b.guesses[path]
	return Field{Value: value, Guessed: guessed, Why: guess.Why}
}

// isOpen reports whether a request leaves a path open before it is changed by anybody.
func isOpen(r *scope.Request, path string) bool {
	return slices.ContainsFunc(r.Open, func(m scope.Missing) bool { return m.Path == path })
}

// oldObject says what is known about the object before the write.
func (a *Ask) oldObject(r *scope.Request) {
	a.OldObject.Shown = r.Operation == "UPDATE" || r.Operation == "DELETE"
	switch {
	case a.OldObject.Text != "":
		a.OldObject.Word = "given"
	case r.OldObject != nil && r.Operation == "DELETE":
		a.OldObject.Word = "as pasted"
	case r.OldObject != nil:
		a.OldObject.Word = "in the review"
	case a.OldObject.Shown:
		a.OldObject.Word, a.OldObject.Open = "not known", true
	}
}

func (a *Ask) choices(d *request.Derived) {
	for _, c := range d.Documents {
		title := c.Kind + " " + c.Name
		a.Documents = append(a.Documents, Document{Title: strings.TrimSpace(title), Index: c.Index, Line: c.Line, Chosen: c.Index == d.Document.Index})
	}
	for _, o := range d.Offers {
		offer := Offer{Title: o.Title, Note: o.Note, Text: o.Manifest}
		if o.User != nil {
			offer.User, offer.Groups = o.User.Username, strings.Join(o.User.Groups, ", ")
		}
		a.Offers = append(a.Offers, offer)
	}
}

// mostText is the size up to which the derived request is shown with its objects.
const mostText = 32 << 10

// requestText writes a derived request as YAML. Large objects are left out: they stand in
// the editor anyway.
func requestText(review json.RawMessage) string {
	var request map[string]any
	if json.Unmarshal(review, &request) != nil {
		return ""
	}
	if len(review) > mostText {
		for _, field := range []string{"object", "oldObject"} {
			if request[field] != nil {
				request[field] = "(too large to show twice)"
			}
		}
	}
	text, err := yaml.Marshal(request)
	if err != nil {
		return ""
	}
	return string(text)
}

// has reports whether a field offers a value already.
func (f Field) has(value string) bool { return slices.Contains(f.Options, value) }

// width is how many letters the field makes room for.
func (f Field) width(empty string) int {
	text := f.Value
	if text == "" {
		text = empty
	}
	return min(max(len(text), 3), 28)
}

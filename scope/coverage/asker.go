package coverage

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// asker makes the requests of one operation for the objects of one resource.
type asker struct {
	ask      Ask
	facts    *scope.Facts
	resource schema.GroupVersionResource
	kind     schema.GroupVersionKind
	goType   reflect.Type
	gaps     []gap
	// namespaces says that the objects are Namespaces, which the API server treats as being
	// in themselves; secret that their content is never read.
	namespaces, secret bool
	open               []scope.Missing
}

// newAsker makes the asker for a resource.
func newAsker(ask Ask, facts *scope.Facts, resource schema.GroupVersionResource) *asker {
	a := &asker{ask: ask, facts: facts, resource: resource, kind: resource.GroupVersion().WithKind("")}
	hasStatus := false
	if facts.Resources != nil {
		if r, ok := facts.Resources.Find(resource, ""); ok {
			a.kind = r.Kind
		}
		hasStatus = slices.Contains(facts.Resources.Subresources(resource), "status")
	}
	a.goType = typeOf(a.kind)
	a.gaps = gapsOf(a.kind, hasStatus, ask.operation())
	a.namespaces = resource.Group == "" && resource.Resource == "namespaces"
	a.secret = isSecret(resource)
	if ask.User == nil {
		a.open = append(a.open, scope.Missing{Path: "request.userInfo", Fact: "who asks"})
	}
	a.open = append(a.open, ask.Open...)
	a.open = append(a.open, scope.Missing{Path: "request.options", Fact: "the options of the request"})
	return a
}

// subject is the object that a request is about, as far as it is known.
type subject struct {
	namespace, name string
	labels          map[string]string
	// content is what of it is known, as JSON, and missing what somebody will look at and is
	// not known.
	content string
	missing *scope.Part
	// shared says that the request is for all policies, and not for one question.
	shared bool
	// gaps are the gaps that can be seen, and bare says that nothing is seen of the object but
	// its name, namespace and labels.
	gaps []gap
	bare bool
}

// request makes the request that writes a subject.
func (a *asker) request(s subject) *scope.Request {
	r := &scope.Request{
		Operation: a.ask.operation(), Kind: a.kind, Resource: a.resource, Name: s.name, Namespace: s.namespace,
		User: a.ask.User, DryRun: a.ask.DryRun,
	}
	if a.namespaces {
		r.Namespace = s.name
	}
	fields := map[string]any{}
	if s.content != "" {
		// The text is our own, so that it can be read back.
		if err := kjson.Unmarshal([]byte(s.content), &fields); err != nil {
			s.content, s.missing = "", &scope.Part{Whole: true}
		}
	}
	object := a.object(s, fields)
	open, validating := slices.Clip(a.open), []scope.Missing(nil)
	for _, g := range s.gaps {
		switch {
		case g.settled(fields):
		case g.validating:
			validating = append(validating, g.Missing)
		default:
			open = append(open, g.Missing)
		}
	}
	sides := []string{"object"}
	switch r.Operation {
	case admission.Update:
		r.Object, r.OldObject = object, object
		sides = []string{"object", "oldObject"}
	case admission.Delete:
		r.OldObject = object
		sides = []string{"oldObject"}
	default:
		r.Object = object
	}
	for _, side := range sides {
		for _, path := range unread(s.missing, a.goType, side, s.shared) {
			open = append(open, scope.Missing{Path: path, Fact: a.unreadFact()})
		}
	}
	r.Open, r.OpenValidating = open, validating
	return r
}

func (a *asker) unreadFact() string {
	if a.secret {
		return "the content of the Secret, which is never read"
	}
	return "the content of the object, which was not read"
}

// object makes the object of a subject: of the kind's Go type if it has one.
func (a *asker) object(s subject, fields map[string]any) runtime.Object {
	wiped := a.ask.operation() == admission.Create && wipe(fields)
	if a.goType == nil {
		return a.custom(s, fields)
	}
	if s.bare {
		return &metav1.PartialObjectMetadata{
			TypeMeta:   metav1.TypeMeta{APIVersion: a.kind.GroupVersion().String(), Kind: a.kind.Kind},
			ObjectMeta: metav1.ObjectMeta{Name: s.name, Namespace: s.namespace, Labels: s.labels},
		}
	}
	object := reflect.New(a.goType).Interface().(runtime.Object)
	if data := []byte(s.content); len(data) > 0 {
		if wiped {
			data, _ = appendJSON(nil, fields)
		}
		// What does not fit the type could not have been stored either.
		_ = json.Unmarshal(data, object)
	}
	object.GetObjectKind().SetGroupVersionKind(a.kind)
	if m, ok := object.(metav1.Object); ok {
		m.SetName(s.name)
		m.SetNamespace(s.namespace)
		m.SetLabels(s.labels)
	}
	return object
}

func (a *asker) custom(s subject, fields map[string]any) runtime.Object {
	u := &unstructured.Unstructured{Object: maps.Clone(fields)}
	if _, ok := u.Object["metadata"].(map[string]any); !ok {
		u.Object["metadata"] = map[string]any{}
	}
	u.SetGroupVersionKind(a.kind)
	u.SetName(s.name)
	if s.namespace != "" {
		u.SetNamespace(s.namespace)
	}
	if len(s.labels) > 0 {
		u.SetLabels(s.labels)
	}
	return u
}

// question asks a policy of one half of admission about a subject.
func (a *asker) question(s subject, phase scope.Phase) scope.Question {
	r := a.request(s)
	return scope.Question{Input: scope.NewInput(r, a.facts, phase), Matched: scope.Matched{Resource: r.Resource, Kind: r.Kind}}
}

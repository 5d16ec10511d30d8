package engine

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// target is what resourceFilters look at. The kind is that of the resource, also where the request is for a subresource
// (handlers/enrich.go, withTopLevelGVK).
type target struct {
	kind        schema.GroupVersionKind
	kindOpen    *scope.Missing
	subresource string
	namespace   string
	name        string
	nameOpen    *scope.Missing
}

func targetOf(q scope.Question) target {
	t := target{kind: q.Matched.Kind, subresource: q.Request.Subresource, namespace: q.Request.Namespace, name: q.Request.Name}
	if q.Facts.Resources != nil {
		if r, ok := q.Facts.Resources.Find(q.Matched.Resource, ""); ok {
			t.kind = r.Kind
		}
	} else if t.subresource != "" {
		t.kind = q.Matched.Resource.GroupVersion().WithKind("")
		t.kindOpen = &scope.Missing{Path: "resources", Fact: fmt.Sprintf("the kind of %s", q.Matched.Resource.Resource)}
	}
	for i := range q.Open {
		if q.Open[i].Path == "request.name" {
			t.nameOpen = &q.Open[i]
		}
	}
	return t
}

// like compares the target with a filter (pkg/config/config.go, ToFilter). A Namespace is in itself: its name counts as
// a namespace, too.
func (t target) like(f *config.Filter) (scope.StepOutcome, scope.Missing) {
	if !kind.Like(f.Group, t.kind.Group) || !kind.Like(f.Version, t.kind.Version) || !kind.Like(f.Subresource, t.subresource) {
		return scope.NoMatch, scope.Missing{}
	}
	ofKind := t.text(f.Kind, t.kind.Kind, t.kindOpen)
	inPlace := min(t.text(f.Namespace, t.namespace, nil), t.text(f.Name, t.name, t.nameOpen))
	if t.kind == (schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}) {
		inPlace = max(inPlace, t.text(f.Namespace, t.name, t.nameOpen))
	}
	switch min(ofKind, inPlace) {
	case yes:
		return scope.Match, scope.Missing{}
	case no:
		return scope.NoMatch, scope.Missing{}
	}
	if ofKind == perhaps {
		return scope.Open, *t.kindOpen
	}
	return scope.Open, *t.nameOpen
}

// answer is what is known of a comparison. The lesser of two is what both say together, the greater what one of them
// says.
type answer int

const (
	no answer = iota
	perhaps
	yes
)

func (t target) text(pattern, text string, open *scope.Missing) answer {
	switch {
	case open != nil && strings.Trim(pattern, "*") == "" && pattern != "":
		return yes
	case open != nil:
		return perhaps
	case kind.Like(pattern, text):
		return yes
	}
	return no
}

// String writes the target as a filter would have it.
func (t target) String() string {
	text := t.kind.Kind
	if t.kindOpen != nil {
		text = "an object"
	}
	if t.subresource != "" {
		text += "/" + t.subresource
	}
	if t.nameOpen == nil && t.name != "" {
		text += " " + t.name
	}
	if t.namespace != "" {
		text += " in " + t.namespace
	}
	return text
}

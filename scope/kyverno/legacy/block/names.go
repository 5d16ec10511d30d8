package block

import (
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// names lists patterns for the name of the object. An object without a name is compared by its generateName.
type names struct {
	written
	list []string
}

func (r names) ask(_ *View, s *Side) Answer { return s.name.like(r.list) }

func (r names) reasons(v *View, s *Side) []scope.Reason {
	return []scope.Reason{r.reason(strings.Join(r.list, ", "), s.name.words("no name"), s.name.path, r.ask(v, s))}
}

func (r names) reads(_ *View, in *reading) { in.name(r.list) }
func (names) weight() int                  { return 4 }

// namespaces lists patterns for the namespace of the object. A Namespace is compared by its own name, and an object
// in no namespace by the empty text (pkg/engine/utils/match.go, checkNameSpace).
type namespaces struct {
	written
	list []string
}

func (r namespaces) observed(v *View, s *Side) text {
	if v.isNamespace() {
		return s.name
	}
	return text{value: v.Namespace, path: "request.namespace"}
}

func (r namespaces) ask(v *View, s *Side) Answer { return r.observed(v, s).like(r.list) }

func (r namespaces) reasons(v *View, s *Side) []scope.Reason {
	observed := r.observed(v, s)
	reason := r.reason(strings.Join(r.list, ", "), observed.words("no namespace"), observed.path, r.ask(v, s))
	if v.isNamespace() {
		reason.Message = "A Namespace is compared by its own name."
	}
	return []scope.Reason{reason}
}

func (r namespaces) reads(v *View, in *reading) {
	if v.isNamespace() {
		in.name(r.list)
		return
	}
	in.Namespace = true
}

func (namespaces) weight() int { return 4 }

// like asks whether a text is like one of several patterns.
func (t text) like(patterns []string) Answer {
	if t.open == nil {
		return answer(kind.LikeAny(patterns, t.value))
	}
	all := make([]Answer, len(patterns))
	for i, p := range patterns {
		all[i] = t.likeOpen(p)
	}
	return Or(all...)
}

// generatedLength is how many characters the API server puts behind a generateName
// (k8s.io/apiserver/pkg/storage/names).
const generatedLength = 5

// likeOpen asks whether a text that is not known, or not to its end, is like a pattern whatever it is.
func (t text) likeOpen(pattern string) Answer {
	// A character that no pattern has is like a wildcard only, so that it stands for any other.
	anything := t.value + strings.Repeat("\x00", generatedLength)
	literal, _, hasWildcard := cut(pattern)
	switch {
	case pattern == "*" || t.generated && kind.Like(pattern, anything):
		return Yes
	case t.generated && !strings.HasPrefix(literal, t.value) && !strings.HasPrefix(t.value, literal):
		return No
	case t.generated && !hasWildcard && len(literal) != len(anything):
		return No
	}
	return Open(*t.open)
}

// cut divides a pattern at its first wildcard.
func cut(pattern string) (literal, rest string, hasWildcard bool) {
	if i := strings.IndexAny(pattern, "*?"); i >= 0 {
		return pattern[:i], pattern[i:], true
	}
	return pattern, "", false
}

func (t text) words(none string) string {
	switch {
	case t.generated:
		return t.value + " and what is generated"
	case t.open != nil:
		return "not known"
	case t.value == "":
		return none
	}
	return t.value
}

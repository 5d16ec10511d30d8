package block

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
)

// requirement is one line of a filter. All of a filter's must hold.
type requirement interface {
	ask(v *View, s *Side) Answer
	// reasons sets the requirement beside what was observed.
	reasons(v *View, s *Side) []scope.Reason
	// reads adds what is read of the object and of its surroundings.
	reads(v *View, r *reading)
	// weight orders requirements: a filter for another name of the right kind is nearer than one for another kind.
	weight() int
}

// written is what requirements have in common: where they stand.
type written struct{ field string }

// reason sets a requirement beside what was observed.
func (w written) reason(want, got, path string, a Answer) scope.Reason {
	return scope.Reason{Field: w.field, Want: want, Got: got, Path: path, Outcome: a.Outcome}
}

// operations lists the operations that a filter is for.
type operations struct {
	written
	list []v1.OperationType
}

func (r operations) ask(v *View, _ *Side) Answer {
	return answer(slices.Contains(r.list, v1.OperationType(v.Operation)))
}

func (r operations) reasons(v *View, s *Side) []scope.Reason {
	words := make([]string, len(r.list))
	for i, o := range r.list {
		words[i] = string(o)
	}
	return []scope.Reason{r.reason(strings.Join(words, ", "), string(v.Operation), "request.operation", r.ask(v, s))}
}

func (operations) reads(*View, *reading) {}
func (operations) weight() int           { return 8 }

// kinds lists the kinds that a filter is for.
type kinds struct {
	written
	list      []string
	selectors []kind.Selector
}

func newKinds(field string, list []string) kinds {
	r := kinds{written{field}, list, make([]kind.Selector, len(list))}
	for i, text := range list {
		r.selectors[i] = kind.Parse(text)
	}
	return r
}

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

const ephemeralContainers = "ephemeralcontainers"

// ask follows pkg/utils/match/kind.go, CheckKind. Who names Pods has their ephemeral containers, too.
func (r kinds) ask(v *View, _ *Side) Answer {
	if v.NoKind != nil {
		return r.askUnknown(v)
	}
	return answer(slices.ContainsFunc(r.selectors, func(k kind.Selector) bool {
		return k.Matches(v.Kind, v.Subresource) || v.Kind == podKind && v.Subresource == ephemeralContainers && k.Names(podKind)
	}))
}

// askUnknown asks about a subresource of a resource whose kind is not known.
func (r kinds) askUnknown(v *View) Answer {
	outcome := No
	for _, k := range r.selectors {
		if !kind.Like(k.Subresource, v.Subresource) {
			continue
		}
		if k.Group == "*" && k.Version == "*" && k.Kind == "*" {
			return Yes
		}
		outcome = Open(*v.NoKind)
	}
	return outcome
}

func (r kinds) reasons(v *View, s *Side) []scope.Reason {
	a := r.ask(v, s)
	reason := r.reason(strings.Join(r.list, ", "), v.Words(), "request.kind", a)
	parent := func(k kind.Selector) bool { return k.Subresource == "" && k.Names(v.Kind) }
	if a.Outcome == scope.NoMatch && v.Subresource != "" && slices.ContainsFunc(r.selectors, parent) {
		reason.Message = "A kind does not cover its subresources: " + v.Kind.Kind + "/" + v.Subresource + " has to be named."
	}
	return []scope.Reason{reason}
}

func (kinds) reads(*View, *reading) {}
func (kinds) weight() int           { return 16 }

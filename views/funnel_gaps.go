package views

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// ResourceGap is a resource whose objects are not all known.
type ResourceGap struct {
	schema.GroupVersionResource
	// Objects is how many are known; Why says why there may be more, in a sentence.
	Objects int
	Why     string
	// Reading says that they are still being read, LeftOut that they are not meant to be, and
	// Partly that all are known, but not all that conditions read of them.
	Reading, LeftOut, Partly bool
}

// Sentence says what is missing.
func (g ResourceGap) Sentence() string {
	name := g.GroupResource().String()
	switch {
	case g.Reading:
		return capital(name) + " are still being read, " + count(g.Objects) + " so far."
	case g.Why != "":
		return capital(name) + ": " + strings.ToLower(g.Why[:1]) + g.Why[1:]
	case g.LeftOut:
		return capital(name) + " are left out."
	}
	return capital(name) + " cannot be read."
}

// gaps keeps the gaps that concern what the rules of a policy name.
func (f *Funnel) gaps(e *Entry, all []ResourceGap) {
	for _, gap := range all {
		if !e.names(gap.GroupResource()) {
			continue
		}
		switch {
		case gap.LeftOut:
			f.LeftOut = append(f.LeftOut, gap.GroupResource().String())
		case !gap.Partly:
			f.Lower = append(f.Lower, gap.Sentence())
		case e.asks()[scope.MatchConditions]:
			f.Partly = append(f.Partly, gap.Sentence())
		}
	}
}

// names reports whether some rule of a policy names a resource. The version is left aside:
// the same objects are there in each.
func (e *Entry) names(resource schema.GroupResource) bool {
	for _, l := range e.Own {
		for _, r := range l.Rules {
			if hasOrStar(r.Groups, resource.Group) && slices.ContainsFunc(r.Resources, func(written string) bool {
				name, sub, _ := strings.Cut(written, "/")
				return (name == "*" || name == resource.Resource) && (sub == "" || sub == "*")
			}) {
				return true
			}
		}
	}
	return false
}

// onlySubresources reports whether the rules of a policy name nothing that is stored.
func (e *Entry) onlySubresources() bool {
	return len(e.Resources) > 0 && !slices.ContainsFunc(e.Resources, func(written string) bool {
		_, sub, _ := strings.Cut(written, "/")
		return sub == "" || sub == "*"
	})
}

func hasOrStar(list []string, word string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, word)
}

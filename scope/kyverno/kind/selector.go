// Package kind has the words in which Kyverno's own policies and its ConfigMap name kinds of objects: a selector such
// as Pod, apps/v1/Deployment, Pod/exec or batch/*/Job, and the wildcards * and ?.
package kind

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Selector names kinds. All parts are patterns; what is not written is "*", except that no subresource is "".
type Selector struct {
	Group, Version, Kind, Subresource string
}

// version tells v1/Pod from Pod/exec. It knows one digit only: v10/Widget is the subresource Widget of the kind v10.
var version = regexp.MustCompile(`^(v[0-9]((alpha|beta)[0-9])?|\*)$`)

// Parse reads a selector (pkg/utils/kube/kind.go, ParseKindSelector). One with too many parts names nothing.
func Parse(text string) Selector {
	parts := strings.Split(text, "/")
	last := len(parts) - 1
	parts = append(parts[:last:last], strings.Split(parts[last], ".")...)
	switch len(parts) {
	case 1:
		return Selector{"*", "*", parts[0], ""}
	case 2:
		if parts[0] == "*" && strings.ToLower(parts[1]) == parts[1] {
			// A star before a word in lower case is every kind: */status, and */* for all subresources, too.
			return Selector{"*", "*", "*", parts[1]}
		}
		if version.MatchString(parts[0]) {
			return Selector{"*", parts[0], parts[1], ""}
		}
		return Selector{"*", "*", parts[0], parts[1]}
	case 3:
		if version.MatchString(parts[0]) {
			return Selector{"*", parts[0], parts[1], parts[2]}
		}
		return Selector{parts[0], parts[1], parts[2], ""}
	case 4:
		return Selector{parts[0], parts[1], parts[2], parts[3]}
	}
	return Selector{}
}

// Names reports whether the selector names a kind, whatever it says about subresources.
func (s Selector) Names(kind schema.GroupVersionKind) bool {
	return Like(s.Group, kind.Group) && Like(s.Version, kind.Version) && Like(s.Kind, kind.Kind)
}

// Matches reports whether the selector names a subresource of a kind, or with "" the kind itself
// (pkg/utils/match/kind.go, CheckKind).
func (s Selector) Matches(kind schema.GroupVersionKind, subresource string) bool {
	return s.Names(kind) && Like(s.Subresource, subresource)
}

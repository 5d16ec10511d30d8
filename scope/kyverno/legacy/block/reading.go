package block

import (
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// reading collects what requirements read; object is read of each side that they are asked about.
type reading struct {
	scope.Reads
	object scope.Part
}

// name adds the name, and what stands for it while it is generated.
func (r *reading) name(patterns []string) {
	for _, field := range []string{"name", "generateName"} {
		part := r.object.At("metadata", field)
		for _, p := range patterns {
			like(part, p)
		}
	}
}

// entry adds a label or an annotation by a pattern of its key and one of its value.
func (r *reading) entry(field, key, value string) {
	part := r.object.At("metadata", field)
	if kind.HasWildcard(key) {
		part.Whole = true
		return
	}
	like(part.Field(key), value)
}

// label adds a label by a requirement of a selector.
func (r *reading) label(requirement *selector.Requirement) {
	part := r.object.At("metadata", "labels").Field(requirement.Key)
	for _, value := range requirement.Values {
		part.Tests = append(part.Tests, scope.Test{Text: value})
	}
}

// like makes a part one whose text is compared with a pattern. Where that is more than one simple test, it is read
// whole.
func like(part *scope.Part, pattern string) {
	literal, rest, hasWildcard := cut(pattern)
	tail := strings.TrimPrefix(rest, "*")
	switch {
	case !hasWildcard:
		part.Tests = append(part.Tests, scope.Test{Text: pattern})
	case pattern == "*":
		// Every text is like it, but there must be one.
	case rest == "*":
		part.Tests = append(part.Tests, scope.Test{Kind: scope.TestPrefix, Text: literal})
	case literal == "" && rest[0] == '*' && !kind.HasWildcard(tail):
		part.Tests = append(part.Tests, scope.Test{Kind: scope.TestSuffix, Text: tail})
	default:
		part.Whole = true
	}
}

package coverage

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
)

// labelAsked is a label of Namespaces that somebody looks at.
type labelAsked struct {
	key string
	// tests are the only questions that are asked of it; nil if it is seen whole.
	tests []scope.Test
}

// labelsAsked takes a part of the labels of Namespaces apart; nil if it is all of them.
func labelsAsked(labels *scope.Part) []labelAsked {
	if labels == nil || labels.Whole || labels.Items != nil {
		return nil
	}
	all := make([]labelAsked, 0, len(labels.Fields))
	for _, key := range slices.Sorted(maps.Keys(labels.Fields)) {
		all = append(all, labelAsked{key, testsOf(labels.Fields[key])})
	}
	return all
}

// spaceClass appends as much of a Namespace as makes a difference to a question; false if it
// is not known to exist, or if the question looks at more of it than some labels.
func (m *memo) spaceClass(class []byte, namespace string) ([]byte, bool) {
	if m.in.spaceLabels == nil || namespace == "" || m.asker.facts.Namespaces == nil {
		return nil, false
	}
	object, presence := m.asker.facts.Namespaces.Namespace(namespace)
	if presence != scope.Present {
		return nil, false
	}
	for _, label := range m.in.spaceLabels {
		value, has := object.Labels[label.key]
		switch {
		case !has:
			class = append(class, 'a')
		case label.tests == nil:
			class = strconv.AppendQuote(append(class, 'v'), value)
		default:
			class = append(class, 't')
			for _, t := range label.tests {
				class = append(class, t.Answer(value))
			}
		}
	}
	return class, true
}

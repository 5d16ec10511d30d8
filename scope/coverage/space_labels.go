package coverage

import (
	"maps"
	"slices"

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

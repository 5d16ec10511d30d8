package coverage

import (
	"maps"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// sight is what of an object somebody looks at, by where a population has it: the name,
// the namespace and the labels are known of every object, the rest is its content.
type sight struct {
	name, namespace bool
	// nameTests are the only questions that are asked of the name; nil if it is seen whole.
	nameTests []scope.Test
	// allLabels says that all labels are seen; otherwise it is those with the keys, and, if
	// hasLabels is set, whether there are any.
	allLabels, hasLabels bool
	keys                 []string
	// tests are, for each of the keys, the only questions that are asked of the label; nil if
	// it is seen whole.
	tests [][]scope.Test
	// content is nil if no more of the object is seen.
	content *scope.Part
	// column names the content among the columns.
	column string
}

// sightOf takes a part of an object apart.
func sightOf(part *scope.Part) sight {
	if part == nil {
		return sight{}
	}
	if part.Whole || part.Items != nil {
		return sight{name: true, namespace: true, allLabels: true, hasLabels: true, content: &scope.Part{Whole: true}, column: "*"}
	}
	content := &scope.Part{}
	content.Add(part)
	s := sight{}
	delete(content.Fields, "apiVersion")
	delete(content.Fields, "kind")
	if metadata := content.Fields["metadata"]; metadata != nil {
		if s.see(metadata); !metadata.Whole && metadata.Items == nil && len(metadata.Fields) == 0 {
			delete(content.Fields, "metadata")
		}
	}
	if len(content.Fields) > 0 {
		s.content, s.column = content, content.String()
	}
	return s
}

// see takes over what is seen of the metadata, and leaves in it what belongs to the content.
func (s *sight) see(metadata *scope.Part) {
	all := metadata.Whole || metadata.Items != nil
	if name := metadata.Fields["name"]; all || name != nil {
		s.name = true
		if !all {
			s.nameTests = testsOf(name)
		}
	}
	s.namespace = all || metadata.Fields["namespace"] != nil
	if labels := metadata.Fields["labels"]; all || labels != nil {
		s.hasLabels = true
		if s.allLabels = all || labels.Whole || labels.Items != nil; !s.allLabels {
			s.keys = slices.Sorted(maps.Keys(labels.Fields))
			for _, key := range s.keys {
				s.tests = append(s.tests, testsOf(labels.Fields[key]))
			}
		}
	}
	if all {
		return
	}
	for _, known := range []string{"name", "namespace", "labels"} {
		delete(metadata.Fields, known)
	}
}

// testsOf returns the only questions that are asked of a text; nil if it is seen whole, and
// an empty list if nothing is asked but whether it is there.
func testsOf(text *scope.Part) []scope.Test {
	if text.Whole || text.Keys || text.Items != nil || len(text.Fields) > 0 {
		return nil
	}
	return append([]scope.Test{}, text.Tests...)
}

// metadataOnly reports whether nothing but metadata is seen.
func (s *sight) metadataOnly() bool {
	return s.content != nil && !s.content.Whole && len(s.content.Fields) == 1 && s.content.Fields["metadata"] != nil
}

package block

import (
	"maps"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// Side is what blocks read of one of the two objects of a request.
type Side struct {
	// Word is object or oldObject.
	Word        string
	name        text
	labels      stringMap
	annotations stringMap
}

// text is a text, of which it may be open how it ends, or all.
type text struct {
	value string
	path  string
	// open is set if value is not all there is, and generated if value is how the text begins.
	open      *scope.Missing
	generated bool
}

// stringMap is labels or annotations, of which some may be open.
type stringMap struct {
	values map[string]string
	// path is where the values are: a part of an object, or a fact if one is set.
	path string
	fact bool
	// all is set if nothing is known but the value of except; keys are single ones that are not known.
	all    *scope.Missing
	except string
	keys   map[string]scope.Missing
}

// missing are the facts that the value of a key waits for.
func (m stringMap) missing(key string) []scope.Missing {
	if m.all != nil && key != m.except {
		return []scope.Missing{*m.all}
	}
	if missing, ok := m.keys[key]; ok {
		return []scope.Missing{missing}
	}
	return nil
}

// anyMissing are the facts that values under keys which are not written wait for.
func (m stringMap) anyMissing() []scope.Missing {
	if m.all != nil {
		return []scope.Missing{*m.all}
	}
	var missing []scope.Missing
	for _, key := range slices.Sorted(maps.Keys(m.keys)) {
		missing = append(missing, m.keys[key])
	}
	return missing
}

// at is the path of the value of a key.
func (m stringMap) at(key string) string {
	if m.fact || key == "" {
		return m.path
	}
	return m.path + "[" + strconv.Quote(key) + "]"
}

// sideOf reads an object; it returns nil if the request has none. An object that cannot have metadata has no name and
// no labels.
func sideOf(q scope.Question, word string, o runtime.Object) *Side {
	whole := openAt(q, word)
	if o == nil && whole == nil {
		return nil
	}
	s := &Side{Word: word, labels: openMap(q, word, "labels"), annotations: openMap(q, word, "annotations")}
	s.name = text{path: word + ".metadata.name", open: openAt(q, word, "metadata", "name")}
	if o == nil {
		// The name of the object stands in the request, too, unless a subresource carries another object.
		if q.Request.Name != "" && q.Request.Subresource == "" {
			s.name = text{value: q.Request.Name, path: "request.name"}
		}
		return s
	}
	accessor, err := meta.Accessor(o)
	if err != nil {
		return s
	}
	s.labels.values, s.annotations.values = accessor.GetLabels(), accessor.GetAnnotations()
	s.name.value = accessor.GetName()
	generates := s.name.open == nil || q.Request.Operation == admission.Create
	if prefix := accessor.GetGenerateName(); s.name.value == "" && prefix != "" && generates {
		s.name.value, s.name.path, s.name.generated = prefix, word+".metadata.generateName", s.name.open != nil
	}
	return s
}

// openAt is the fact that something at a path waits for; nil if it is known.
func openAt(q scope.Question, path ...string) *scope.Missing {
	for i, open := range q.OpenPaths() {
		if len(open) <= len(path) && scope.Overlap(open, path) {
			return &q.Open[i]
		}
	}
	return nil
}

// openMap is a map of an object's metadata without its values.
func openMap(q scope.Question, word, field string) stringMap {
	path := []string{word, "metadata", field}
	m := stringMap{path: word + ".metadata." + field, all: openAt(q, path...)}
	for i, open := range q.OpenPaths() {
		if len(open) > len(path) && scope.Overlap(open, path) {
			if m.keys == nil {
				m.keys = map[string]scope.Missing{}
			}
			m.keys[open[len(path)]] = q.Open[i]
		}
	}
	return m
}

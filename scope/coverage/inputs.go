package coverage

import (
	"encoding/binary"
	"slices"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// inputs is what one question reads of the objects of one resource, in terms of what a
// population has of them.
type inputs struct {
	// space says that the namespace is read, object that the Namespace is.
	space, object bool
	// spaceLabels, unless it is nil, are all that is read of a Namespace that exists.
	spaceLabels []labelAsked
	// params says that the parameters are read.
	params bool
	name   bool
	// nameTests are the only questions that are asked of the name; nil if it is read whole.
	nameTests []scope.Test
	labels    *grouping
	// tests are, for each key of labels, the only questions that are asked of the label; nil,
	// or nil for a key, if it is read whole.
	tests [][]scope.Test
	// column is the content that is read; -1 is none. content says what is in it.
	column  int
	content *scope.Part
}

// inputsOf finds out what a question reads under an operation.
func (e *Evaluator) inputsOf(a *asker, r scope.Reads) inputs {
	var part *scope.Part
	switch a.ask.operation() {
	case admission.Update:
		if part = both(r); part == nil {
			if part = r.Object; part == nil {
				part = r.OldObject
			}
		}
	case admission.Delete:
		part = r.OldObject
	default:
		part = r.Object
	}
	s := sightOf(part)
	name := scope.Reads{Name: s.name, NameTests: s.nameTests}
	name.AddName(r)
	if a.namespaces && (r.Namespace || r.NamespaceObject) {
		name = scope.Reads{Name: true}
	}
	in := inputs{
		space: r.Namespace || r.NamespaceObject || s.namespace, object: r.NamespaceObject, params: r.Params,
		name: name.Name, nameTests: name.NameTests, labels: e.groupings.of(s), column: -1, content: s.content,
	}
	if in.name && in.nameTests != nil && len(in.nameTests) == 0 {
		in.name = false
	}
	if slices.ContainsFunc(s.tests, func(only []scope.Test) bool { return only != nil }) {
		in.tests = s.tests
	}
	if r.NamespaceObject && !a.namespaces {
		in.spaceLabels = labelsAsked(r.NamespaceLabels)
	}
	if s.content != nil {
		in.column = int(e.tables.columns.id(s.column))
	}
	return in
}

// constant reports whether all objects of one namespace get the same answer.
func (in *inputs) constant() bool { return !in.name && in.labels == nil && in.column < 0 }

// nameOf returns as much of a name as makes a difference.
func (in *inputs) nameOf(name string) string {
	switch {
	case !in.name:
		return ""
	case in.nameTests != nil:
		return answers(in.nameTests, name)
	}
	return name
}

// answers writes what some questions say of a text.
func answers(tests []scope.Test, text string) string {
	var few [16]byte
	all := few[:0]
	for _, t := range tests {
		all = append(all, t.Answer(text))
	}
	return string(all)
}

// class writes as much of a set of labels as makes a difference.
func (in *inputs) class(t *tables, set uint32) string {
	if set == 0 {
		return "-"
	}
	labels := t.labels.get(set)
	var class []byte
	for i, key := range in.labels.keys {
		id, ok := t.words.find(key)
		value, has := uint32(0), false
		if ok {
			value, has = labels.get(id)
		}
		switch only := in.tests[i]; {
		case !has:
			class = append(class, 'a')
		case only == nil:
			class = binary.LittleEndian.AppendUint32(append(class, 'v'), value)
		default:
			class = append(append(class, 't'), answers(only, t.words.get(value))...)
		}
	}
	return string(class)
}

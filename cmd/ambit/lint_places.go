package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// places finds the lines of findings in the files that policies come from. A policy knows
// its file and document; the line of a field is found by reading the document once more.
type places struct {
	files map[string][]manifest.Document
}

// originPattern is how the origin of an object from a file is written.
var originPattern = regexp.MustCompile(`^(.*), document (\d+), line (\d+)$`)

// position is a line in a file.
type position struct {
	file string
	line int
}

// String writes a position as compilers do.
func (p position) String() string { return p.file + ":" + strconv.Itoa(p.line) }

func newPlaces(policies []*scope.Policy) *places {
	p := &places{files: map[string][]manifest.Document{}}
	for _, policy := range policies {
		m := originPattern.FindStringSubmatch(policy.Origin)
		if m == nil {
			continue
		}
		if _, known := p.files[m[1]]; !known {
			// What cannot be read a second time, as standard input, has the line of the document only.
			p.files[m[1]], _, _ = readDocuments(m[1])
		}
	}
	return p
}

// of returns where a finding stands, if that is in a file.
func (p *places) of(f hazard.Finding) (position, bool) {
	if f.Entry != "" && inBinding(f) {
		if at, ok := p.named(f.Kind+"Binding", f.Entry, f.Field); ok {
			return at, true
		}
	}
	m := originPattern.FindStringSubmatch(f.Policy.Origin)
	if m == nil {
		return position{}, false
	}
	index, line := number(m[2]), number(m[3])
	for _, d := range p.files[m[1]] {
		if d.Index == index && d.Object.GetName() == f.Name {
			line, _ = d.LineOf(f.Field)
		}
	}
	return position{m[1], line}, true
}

// inBinding reports whether the field of a finding is one of a binding.
func inBinding(f hazard.Finding) bool {
	return f.Policy.BindingSource != nil && strings.HasPrefix(f.Field, "spec")
}

// named finds a field of an object by its kind and name, in the files that policies come
// from; the last one counts, as for kubectl apply.
func (p *places) named(kind, name, field string) (at position, found bool) {
	for file, documents := range p.files {
		for _, d := range documents {
			if d.Object.GetKind() == kind && d.Object.GetName() == name {
				line, _ := d.LineOf(field)
				at, found = position{file, line}, true
			}
		}
	}
	return at, found
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

package main

import (
	"regexp"
	"strconv"

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
		for _, origin := range []string{policy.Origin, policy.BindingOrigin} {
			m := originPattern.FindStringSubmatch(origin)
			if m == nil {
				continue
			}
			if _, known := p.files[m[1]]; !known {
				// What cannot be read a second time, as standard input, has the line of the document only.
				p.files[m[1]], _, _ = readDocuments(m[1])
			}
		}
	}
	return p
}

// of returns where a finding stands, if that is in a file.
func (p *places) of(f hazard.Finding) (position, bool) {
	if f.Policy == nil {
		return position{}, false
	}
	origin, name := f.Policy.Origin, f.Name
	if inBinding(f) {
		origin, name = f.Policy.BindingOrigin, f.Entry
	}
	m := originPattern.FindStringSubmatch(origin)
	if m == nil {
		return position{}, false
	}
	index, line := number(m[2]), number(m[3])
	for _, d := range p.files[m[1]] {
		if d.Index == index && d.Object.GetName() == name {
			line, _ = d.LineOf(f.Field)
		}
	}
	return position{m[1], line}, true
}

// inBinding reports whether the field of a finding is one of a binding.
func inBinding(f hazard.Finding) bool { return f.Entry != "" && f.Policy.BindingSource != nil }

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

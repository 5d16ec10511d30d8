package manifest

import (
	"fmt"
	"strings"
)

// Severity says what a problem does to the thing it is about.
type Severity string

// An Error means that the thing is not used. A Warning means that it is used, but maybe
// not as its author expects.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Problem is something in what a person gave that they should know about.
type Problem struct {
	Source string `json:"source,omitempty"`
	// Document, Line and Column count from 1; zero means that they do not apply.
	Document int `json:"document,omitempty"`
	Line     int `json:"line,omitempty"`
	Column   int `json:"column,omitempty"`
	// Message says what is wrong and Hint the way out. Both are parts of a sentence: they
	// begin with a small letter and have no full stop.
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
	Severity Severity `json:"severity"`
}

// String is the problem as one sentence: the place, what is wrong, and the way out.
func (p Problem) String() string {
	var where []string
	if p.Source != "" {
		where = append(where, p.Source)
	}
	if p.Document > 0 {
		where = append(where, fmt.Sprintf("document %d", p.Document))
	}
	if p.Line > 0 {
		where = append(where, fmt.Sprintf("line %d", p.Line))
	}
	s := p.Message
	if len(where) > 0 {
		s = strings.Join(where, ", ") + ": " + s
	}
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s + "."
}

// Failed reports whether one of the problems is an Error.
func Failed(problems []Problem) bool {
	for _, p := range problems {
		if p.Severity == Error {
			return true
		}
	}
	return false
}

// Problem makes a problem about what stands at a path of the document, or about the
// document if the path is empty.
func (d Document) Problem(severity Severity, path, message, hint string) Problem {
	line, _ := d.LineOf(path)
	return Problem{Source: d.Source, Document: d.Index, Line: line, Message: message, Hint: hint, Severity: severity}
}

// Package manifest turns the bytes that a person pastes or points at into Kubernetes
// objects: YAML, JSON and JSON lines, one object or many. It does no I/O.
//
// Values are read by the library that kubectl reads them with, so that "yes", 0x10 or a
// merge key mean here what they mean there. A second, position-keeping parser is asked
// only when somebody wants to know where something stands, or why nothing could be read.
// Whatever cannot be read becomes a Problem that names the place and the way out, and
// everything else is still returned.
package manifest

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// DefaultLimit is a size that no sensible manifest reaches, for callers without an
// opinion of their own.
const DefaultLimit = 64 << 20

// maxDepth bounds how deeply values may be nested; the deepest objects in use, the
// schemas of CustomResourceDefinitions, stay far below it.
const maxDepth = 500

// Document is one object of a source, with its place in it.
type Document struct {
	Object *unstructured.Unstructured
	// Source names where the text came from, such as a file name.
	Source string
	// Index counts the objects of the source from 1, the items of a List one by one.
	Index int
	// Line is the line of the source in which the object begins, from 1.
	Line int

	text *text
	at   []segment
}

// Read returns the objects in data and what is wrong with the rest. A limit of zero or
// less means that any size is accepted.
func Read(source string, data []byte, limit int64) ([]Document, []Problem) {
	r := &reader{source: source}
	if limit > 0 && int64(len(data)) > limit {
		r.whole(fmt.Sprintf("it has %s, more than the limit of %s", size(int64(len(data))), size(limit)), "split it, or leave out what is not needed")
		return nil, r.problems
	}
	if isUTF16(data) {
		r.whole("it is encoded as UTF-16, as PowerShell writes it", "save it as UTF-8")
		return nil, r.problems
	}
	for _, c := range split(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		r.chunk(c)
	}
	return r.documents, r.problems
}

// reader collects what Read returns.
type reader struct {
	source    string
	index     int
	documents []Document
	problems  []Problem
}

// chunk reads one part of the source between two document markers.
func (r *reader) chunk(c chunk) {
	switch {
	case c.blank():
	case !utf8.Valid(c.data):
		r.index++
		r.report(c.line+invalidLine(c.data), 0, "the text is not UTF-8", "save the file as UTF-8")
	case c.json():
		r.jsonStream(c)
	default:
		r.yamlDocument(c)
	}
}

// whole reports a problem with the source as a whole.
func (r *reader) whole(message, hint string) {
	r.problems = append(r.problems, Problem{Source: r.source, Message: message, Hint: hint, Severity: Error})
}

// report reports why the current document cannot be used.
func (r *reader) report(line, column int, message, hint string) {
	r.problems = append(r.problems, Problem{
		Source: r.source, Document: r.index, Line: line, Column: column, Message: message, Hint: hint, Severity: Error,
	})
}

// warn reports something about the current document that does not keep it from being used.
func (r *reader) warn(line, column int, message, hint string) {
	r.report(line, column, message, hint)
	r.problems[len(r.problems)-1].Severity = Warning
}

func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
}

// invalidLine returns the number of lines before the first byte that is not UTF-8.
func invalidLine(data []byte) int {
	for i := 0; i < len(data); {
		char, width := utf8.DecodeRune(data[i:])
		if char == utf8.RuneError && width == 1 {
			return bytes.Count(data[:i], []byte("\n"))
		}
		i += width
	}
	return 0
}

func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// Part returns an object that stands inside the document at a path, such as the object of
// an AdmissionReview, as a document that knows its place.
func (d Document) Part(path string, object map[string]any) Document {
	segments, _ := parsePath(path)
	part := d
	part.Line, _ = d.LineOf(path)
	part.Object = &unstructured.Unstructured{Object: object}
	part.at = append(append([]segment{}, d.at...), segments...)
	return part
}

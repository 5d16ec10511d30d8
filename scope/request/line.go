package request

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// maxLine bounds what is taken for a line. No command that somebody types is as long.
const maxLine = 8 << 10

// line is a text that describes a request in one line, with the place it has in the text.
type line struct {
	text   string
	number int
	// column is the column in which the text begins.
	column int
}

// word is a word of a line, without the quotes around it.
type word struct {
	text   string
	column int
	// plain says that nothing of the word was quoted, so that a shell would take | for a pipe.
	plain bool
}

// IsLine reports whether a text is one line that describes a request, as for kubectl, and
// no manifest.
func IsLine(text string) bool {
	_, ok := lineIn([]byte(text))
	return ok
}

// lineIn returns the only line of a text that is neither empty nor a comment, if it begins
// as a command does. A manifest of one line has a colon or a brace where that has a blank.
func lineIn(data []byte) (line, bool) {
	if len(data) > maxLine || !utf8.Valid(data) {
		return line{}, false
	}
	var found line
	for i, text := range strings.Split(string(bytes.TrimPrefix(data, []byte("\ufeff"))), "\n") {
		trimmed := strings.TrimSpace(text)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		if found.number > 0 {
			return line{}, false
		}
		before := text[:len(text)-len(strings.TrimLeft(text, " \t\r"))]
		found = line{text: trimmed, number: i + 1, column: utf8.RuneCountInString(before) + 1}
	}
	first, rest, _ := strings.Cut(found.text, " ")
	if strings.HasPrefix(strings.TrimSpace(rest), ":") {
		return line{}, false
	}
	first = strings.TrimRight(first, "\t")
	return found, first == "kubectl" || first == "auth" || slices.Contains(httpMethods, first) || commands[first] != nil
}

// words takes a line apart as a shell does, up to a comment.
func (l line) words() ([]word, *problemAt) {
	var all []word
	var now word
	var text strings.Builder
	var quote rune
	open, escaped := false, false
	end := func() {
		if open {
			now.text = text.String()
			all = append(all, now)
			text.Reset()
			open = false
		}
	}
	for i, char := range []rune(l.text) {
		if !open && (char == '#') {
			return all, nil
		}
		blank := char == ' ' || char == '\t'
		if !open && !blank {
			open, now = true, word{column: l.column + i, plain: true}
		}
		switch {
		case escaped:
			text.WriteRune(char)
			escaped = false
		case char == '\\' && quote != '\'':
			escaped, now.plain = true, false
		case quote != 0 && char == quote:
			quote = 0
		case quote == 0 && (char == '\'' || char == '"'):
			quote, now.plain = char, false
		case blank && quote == 0:
			end()
		default:
			text.WriteRune(char)
		}
	}
	if quote != 0 {
		return nil, &problemAt{now.column, wrong{fmt.Sprintf("the quote %c has no end", quote), "close it"}}
	}
	end()
	return all, nil
}

// problemAt says what is wrong in a column of a line.
type problemAt struct {
	column int
	wrong
}

// fromLine derives a request from a line.
func fromLine(source string, l line, ask Ask, facts *scope.Facts) (*Derived, []manifest.Problem) {
	d := newDraft(madeReview(source, l.number), ask, facts)
	d.isAccess = true
	c := &command{draft: d, at: map[string]int{}}
	d.place = func(severity manifest.Severity, part, message, hint string) manifest.Problem {
		column := cmp.Or(c.at[part], c.at["request.path"], l.column)
		return manifest.Problem{Source: source, Line: l.number, Column: column, Message: message, Hint: hint, Severity: severity}
	}
	words, problem := l.words()
	if problem != nil {
		c.at["line"] = problem.column
		d.complain("line", problem.message, problem.hint)
		return nil, d.problems
	}
	a := c.read(words)
	review := d.finishAccess(a)
	if d.failed() {
		return nil, d.problems
	}
	return d.derived(review), d.problems
}

// madeReview is the document of a request that no document describes. It has the kind that
// describes such a request, and nothing in it, because a line has no fields to point to.
func madeReview(source string, number int) manifest.Document {
	object := map[string]any{"apiVersion": authorizationv1.SchemeGroupVersion.String(), "kind": "SubjectAccessReview"}
	return manifest.Document{Source: source, Index: 1, Line: number, Object: &unstructured.Unstructured{Object: object}}
}

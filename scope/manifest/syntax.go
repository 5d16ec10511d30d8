package manifest

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// syntax reports a YAML document that cannot be read, in words for its author.
func (r *reader) syntax(c chunk, err error) {
	message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	message = strings.TrimPrefix(message, "yaml: ")
	told := 0
	if m := lineInMessage.FindStringSubmatch(message); m != nil {
		told, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	line := failingLine(c.data)
	if line == 0 || strings.Contains(message, "unexpected end of stream") {
		line = told
	}
	if line == 0 {
		line = keyLine(c.data)
	}
	if tab := tabLine(c.data, line); tab > 0 {
		r.report(c.line+tab-1, 0, "the line is indented with a tab, which YAML does not allow", "use spaces")
		return
	}
	message, hint := inWords(message)
	if bytes.Contains(c.data, []byte("{{")) {
		hint = "if this is a template, render it first, for example with helm template"
	}
	r.report(c.line+line-1, 0, message, hint)
}

var lineInMessage = regexp.MustCompile(`^(?:unmarshal errors:\s*)?line (\d+): `)

// words are the parser's phrases in the words of a person who writes YAML.
var words = []struct{ phrase, message, hint string }{
	{"mapping values are not allowed", `there is a ": " where none can be`, "put quotes around the value, or check the indentation of this line"},
	{"did not find expected key", "this line does not fit the ones before it", "check the indentation and the quotes"},
	{"did not find expected '-' indicator", "an item that begins with a dash is expected here", "check the indentation"},
	{"could not find expected ':'", "a colon after a key is missing here or in the line before", `write "key: value"`},
	{"found unexpected end of stream", "a quote is opened here and never closed", "close it"},
	{"did not find expected ',' or", "a comma or the closing bracket is missing", "check the brackets"},
	{"did not find expected node content", "a value is missing here", "check the brackets and the quotes"},
	{"cannot start any token", "a value begins with a character that has a meaning of its own in YAML", "put quotes around the value"},
	{"unknown anchor", "an alias (*name) refers to an anchor (&name) that the document does not have", "anchors do not reach across ---; put quotes around text that begins with *"},
	{"control characters are not allowed", "it contains control characters", "give a text file"},
	{"invalid map key", "a mapping is used as a key", "put quotes around text that begins with {"},
	{"excessive aliasing", "its aliases (*name) make it grow beyond all bounds", "write the values out where they are needed"},
	{"contains itself", "an anchor (&name) contains itself", "write the values out where they are needed"},
	{"exceeded max depth", "its values are nested too deep", "check the braces and the indentation"},
	{"unsupported value", "it contains a number that JSON does not have (.nan or .inf)", "put quotes around it"},
}

func inWords(message string) (string, string) {
	for _, w := range words {
		if strings.Contains(message, w.phrase) {
			return w.message, w.hint
		}
	}
	return "the YAML cannot be read: " + strings.Join(strings.Fields(message), " "), "correct it"
}

// tabLine returns the line near a syntax error that is indented with a tab, or zero.
func tabLine(data []byte, near int) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		if n := i + 1; n >= near-1 && n <= near+1 && bytes.IndexByte(indent, '\t') >= 0 && len(indent) < len(line) {
			return n
		}
	}
	return 0
}

// failingLine returns the line in which the parser gives up, or zero if it does not. The
// parser itself tells the line in which the surrounding value begins, which may be pages
// above. How far it has read tells more, so it is fed byte by byte.
func failingLine(data []byte) int {
	d := &drip{data: data}
	var node yamlv3.Node
	if err := yamlv3.NewDecoder(d).Decode(&node); err == nil || err == io.EOF {
		return 0
	}
	at := max(d.at-lookahead, 0)
	for at < len(data) && bytes.IndexByte([]byte(" \t\r\n"), data[at]) >= 0 {
		at++
	}
	if at == len(data) {
		at = max(len(bytes.TrimSpace(data))-1, 0)
	}
	return 1 + bytes.Count(data[:at], []byte("\n"))
}

// keyLine returns the line of the first key that is no text, which the parser accepts
// and the reading of values does not, or else the first line.
func keyLine(data []byte) int {
	root, err := parse(data)
	if err != nil {
		return 1
	}
	line := 1
	var visit func(n *yamlv3.Node) bool
	visit = func(n *yamlv3.Node) bool {
		for i, child := range n.Content {
			if n.Kind == yamlv3.MappingNode && i%2 == 0 && child.Kind != yamlv3.ScalarNode && child.Kind != yamlv3.AliasNode {
				line = child.Line
				return true
			}
			if visit(child) {
				return true
			}
		}
		return false
	}
	visit(root)
	return line
}

// lookahead is how many bytes the parser reads before it looks at the first of them.
const lookahead = 4

// drip is a reader that hands out one byte at a time and remembers how many.
type drip struct {
	data []byte
	at   int
}

// Read implements io.Reader.
func (d *drip) Read(p []byte) (int, error) {
	if d.at == len(d.data) {
		return 0, io.EOF
	}
	p[0] = d.data[d.at]
	d.at++
	return 1, nil
}

package manifest

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	yamlv3 "go.yaml.in/yaml/v3"
)

const mergeTag = "!!merge"

// text is the text of one or more documents. Its tree of positions takes many times its
// size, so it is made when the first position is asked for.
type text struct {
	data []byte
	line int
	json bool

	once sync.Once
	root *yamlv3.Node
}

// parse reads text into a tree of nodes with positions.
func parse(data []byte) (*yamlv3.Node, error) {
	var root yamlv3.Node
	if err := yamlv3.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	return &root, nil
}

// tree returns the root value, or nil if the text has no positions.
func (t *text) tree() *yamlv3.Node {
	t.once.Do(func() {
		data := t.data
		if t.json {
			data = escapes.ReplaceAllFunc(data, withoutEscape)
		}
		if root, err := parse(data); err == nil && len(root.Content) > 0 {
			t.root = root.Content[0]
		}
	})
	return t.root
}

// escapes are the escapes in JSON text, of which YAML does not have all.
var escapes = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.`)

// withoutEscape writes what YAML cannot escape without an escape. Lines stay where they are.
func withoutEscape(escape []byte) []byte {
	if escape[1] != '/' && len(escape) == 2 {
		return escape
	}
	var text string
	if err := json.Unmarshal([]byte(`"`+string(escape)+`"`), &text); err != nil {
		return escape
	}
	return []byte(text)
}

// start is the line in which the content begins, after markers and comments.
func (t *text) start() int {
	offset, _ := (chunk{data: t.data}).body()
	return t.line + bytes.Count(t.data[:offset], []byte("\n"))
}

// LineOf returns the line of the source in which a path of the object stands, such as
// metadata.labels["app"] or spec.containers[0].image. For a path that is absent it
// returns the line of the nearest part around it that is there, and false.
func (d Document) LineOf(path string) (line int, ok bool) {
	segments, ok := parsePath(path)
	if d.text == nil {
		return d.Line, false
	}
	if ok && len(segments) == 0 {
		return d.Line, true
	}
	root := d.text.tree()
	if root == nil {
		return d.Line, false
	}
	at := append(append([]segment{}, d.at...), segments...)
	line, depth := locate(root, at)
	if depth <= len(d.at) {
		return d.Line, false
	}
	return d.text.line + line - 1, ok && depth == len(at)
}

// locate walks down a path and returns the line of the deepest part that is there, and
// how many segments it has.
func locate(n *yamlv3.Node, path []segment) (line, depth int) {
	line = n.Line
	for i, s := range path {
		key, value := child(n, s, maxAliasHops)
		if value == nil {
			return line, i
		}
		line, n = key.Line, value
	}
	return line, len(path)
}

// maxAliasHops bounds how far aliases and merge keys are followed: they may form a circle.
const maxAliasHops = 16

// child returns the node where a part of a node begins, which is the key in a mapping,
// and the node of its value.
func child(n *yamlv3.Node, s segment, hops int) (key, value *yamlv3.Node) {
	for n.Kind == yamlv3.AliasNode && hops > 0 {
		n, hops = n.Alias, hops-1
	}
	switch {
	case n.Kind == yamlv3.SequenceNode && s.isIndex && s.index < len(n.Content):
		return n.Content[s.index], n.Content[s.index]
	case n.Kind == yamlv3.MappingNode && !s.isIndex:
		return field(n, s, hops)
	}
	return nil, nil
}

// keyOf is the key that a node becomes in the object. In YAML as kubectl reads it, plain
// words like on and no are booleans, also as keys.
func keyOf(n *yamlv3.Node) string {
	if n.Style != 0 {
		return n.Value
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes", "y", "on":
		return "true"
	case "false", "no", "n", "off":
		return "false"
	}
	return n.Value
}

// field returns a key of a mapping, the last one if it is there twice, or else the one
// that a merge key brings.
func field(n *yamlv3.Node, s segment, hops int) (key, value *yamlv3.Node) {
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		if n.Content[i].Kind == yamlv3.ScalarNode && keyOf(n.Content[i]) == s.key {
			return n.Content[i], n.Content[i+1]
		}
	}
	if hops == 0 {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag != mergeTag {
			continue
		}
		merged := []*yamlv3.Node{n.Content[i+1]}
		if merged[0].Kind == yamlv3.SequenceNode {
			merged = merged[0].Content
		}
		for _, m := range merged {
			if key, value = child(m, s, hops-1); value != nil {
				return key, value
			}
		}
	}
	return nil, nil
}

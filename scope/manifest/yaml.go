package manifest

import (
	"bytes"
	"fmt"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// maxAliased bounds the text that aliases may add to a document, in bytes. Real manifests
// repeat a few labels; a document made to explode stops here before it is expanded.
const maxAliased = 4 << 20

// yamlDocument reads a chunk as one YAML document.
func (r *reader) yamlDocument(c chunk) {
	r.index++
	if bytes.IndexByte(c.data, '&') >= 0 && bytes.IndexByte(c.data, '*') >= 0 && !r.aliasesBounded(c) {
		return
	}
	converted, err := yaml.YAMLToJSONStrict(c.data)
	if err != nil {
		converted, err = r.yamlAgain(c)
	}
	if err != nil {
		r.syntax(c, err)
		return
	}
	var value any
	if err := kjson.Unmarshal(converted, &value); err != nil {
		r.syntax(c, err)
		return
	}
	if value == nil {
		r.index--
		return
	}
	r.value(value, &text{data: c.data, line: c.line})
}

// yamlAgain reads a document that is not quite right: with duplicate keys, of which the
// last counts as in kubectl, it can be used all the same.
func (r *reader) yamlAgain(c chunk) ([]byte, error) {
	root, err := parse(c.data)
	if err != nil {
		return nil, err
	}
	converted, err := yaml.YAMLToJSON(c.data)
	if err != nil {
		return nil, err
	}
	for _, d := range duplicates(root) {
		r.warn(c.line+d.second.Line-1, d.second.Column,
			fmt.Sprintf("the key %q is there twice, and this one counts; the first is in line %d", d.second.Value, c.line+d.first.Line-1),
			"remove one of them")
	}
	return converted, nil
}

// aliasesBounded reports a document whose aliases make it explode.
func (r *reader) aliasesBounded(c chunk) bool {
	root, err := parse(c.data)
	if err != nil {
		r.syntax(c, err)
		return false
	}
	seen := map[*yamlv3.Node]int{}
	if expanded := weight(root, seen); expanded-len(c.data)*2 <= maxAliased {
		return true
	}
	r.report(c.line, 0, fmt.Sprintf("its aliases (*name) repeat or contain each other so often that it grows beyond %s", size(maxAliased)),
		"write the values out where they are needed")
	return false
}

// weight is the size of a tree with its aliases expanded, counted once per node. It never
// exceeds a limit that is safe to add up, and a tree that contains itself reaches it.
func weight(n *yamlv3.Node, seen map[*yamlv3.Node]int) int {
	const tooMuch = 1 << 40
	if known, ok := seen[n]; ok {
		return known
	}
	seen[n] = tooMuch
	total := 1 + len(n.Value)
	if n.Kind == yamlv3.AliasNode {
		total += weight(n.Alias, seen)
	}
	for _, child := range n.Content {
		total = min(total+weight(child, seen), tooMuch)
	}
	seen[n] = total
	return total
}

// twice is a key that a mapping has twice.
type twice struct{ first, second *yamlv3.Node }

// duplicates finds the keys that stand twice in one mapping, in the order of the text.
func duplicates(n *yamlv3.Node) []twice {
	var found []twice
	if n.Kind == yamlv3.MappingNode {
		first := map[string]*yamlv3.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yamlv3.ScalarNode || key.Tag == mergeTag {
				continue
			}
			if earlier, ok := first[keyOf(key)]; ok {
				found = append(found, twice{earlier, key})
				continue
			}
			first[keyOf(key)] = key
		}
	}
	for _, child := range n.Content {
		found = append(found, duplicates(child)...)
	}
	return found
}

// value takes one value of the source apart into documents.
func (r *reader) value(value any, t *text) {
	if tooDeep(value, maxDepth) {
		r.report(t.line, 0, fmt.Sprintf("its values are nested more than %d levels deep", maxDepth), "no Kubernetes object needs that; check the braces and the indentation")
		return
	}
	object, ok := value.(map[string]any)
	if !ok {
		r.report(t.start(), 0, "it is "+kindOf(value)+", not an object", wayOutOf(value))
		return
	}
	r.object(object, t, nil, t.start())
}

func tooDeep(value any, allowed int) bool {
	if allowed == 0 {
		return true
	}
	switch v := value.(type) {
	case map[string]any:
		for _, child := range v {
			if tooDeep(child, allowed-1) {
				return true
			}
		}
	case []any:
		for _, child := range v {
			if tooDeep(child, allowed-1) {
				return true
			}
		}
	}
	return false
}

func wayOutOf(value any) string {
	if _, ok := value.([]any); ok {
		return "write the objects one after the other with a line --- between them"
	}
	return "begin with apiVersion, kind and metadata"
}

// kindOf says what a value is, in the words of a person who writes YAML.
func kindOf(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("the text %q", short(v))
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case nil:
		return "null"
	}
	return fmt.Sprintf("the number %v", value)
}

func short(s string) string {
	const most = 40
	if r := []rune(strings.ToValidUTF8(s, "?")); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

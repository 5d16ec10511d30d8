package manifest

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// object takes one mapping of the source as a document, or as a List of them.
func (r *reader) object(object map[string]any, t *text, at []segment, line int) {
	if items, ok := itemsOf(object); ok {
		r.list(object, items, t, at)
		return
	}
	d := Document{Object: &unstructured.Unstructured{Object: object}, Source: r.source, Index: r.index, Line: line, text: t, at: at}
	for _, field := range []string{"apiVersion", "kind"} {
		switch v := object[field].(type) {
		case string:
			if v != "" {
				continue
			}
			r.add(d.Problem(Error, field, field+" is empty", wayOutOfMissing(field)))
		case nil:
			r.add(d.Problem(Error, "", "the object has no "+field, wayOutOfMissing(field)))
		default:
			r.add(d.Problem(Error, field, fmt.Sprintf("%s is %s, not text", field, kindOf(v)), wayOutOfMissing(field)))
		}
		return
	}
	if p, ok := d.CheckMetadata(); !ok {
		r.add(p)
		return
	}
	r.documents = append(r.documents, d)
}

func (r *reader) add(p Problem) { r.problems = append(r.problems, p) }

func wayOutOfMissing(field string) string {
	if field == "kind" {
		return `say what it is, such as "kind: Pod"`
	}
	return `say which version of the API it is written for, such as "apiVersion: v1" or "apiVersion: apps/v1"`
}

// itemsOf returns the items of a List as kubectl knows one: a kind that ends in List,
// with a list of items.
func itemsOf(object map[string]any) ([]any, bool) {
	kind, _ := object["kind"].(string)
	if !strings.HasSuffix(kind, "List") {
		return nil, false
	}
	items, isList := object["items"].([]any)
	apiVersion, _ := object["apiVersion"].(string)
	return items, isList || kind == "List" && apiVersion == "v1" && object["items"] == nil
}

// list takes the items of a List as documents. An item of a list from the API itself says
// no kind, because the list says it for all of them.
func (r *reader) list(list map[string]any, items []any, t *text, at []segment) {
	places := placesOf(t, at, len(items))
	for i, item := range items {
		if i > 0 {
			r.index++
		}
		p := places[i]
		object, ok := item.(map[string]any)
		if !ok {
			r.report(p.line, 0, fmt.Sprintf("items[%d] of the list is %s, not an object", i, kindOf(item)), "remove it")
			continue
		}
		if kind, _ := list["kind"].(string); kind != "List" && object["kind"] == nil && object["apiVersion"] == nil {
			object["kind"], object["apiVersion"] = strings.TrimSuffix(kind, "List"), list["apiVersion"]
		}
		r.object(object, p.text, p.at, p.line)
	}
	if len(items) == 0 {
		r.index--
	}
}

// itemPlace is where one item of a list stands.
type itemPlace struct {
	text *text
	at   []segment
	line int
}

// placesOf finds the items of the list that stands at a path of a text.
func placesOf(t *text, at []segment, n int) []itemPlace {
	places := make([]itemPlace, n)
	if t.json {
		if texts := jsonItems(t); len(texts) == n {
			for i, item := range texts {
				places[i] = itemPlace{text: item, line: item.line}
			}
			return places
		}
	}
	// The tree is made for this and thrown away: a list may be the dump of a whole cluster.
	lines := &text{data: t.data}
	root := lines.tree()
	for i := range places {
		path := append(append([]segment{}, at...), segment{key: "items"}, segment{index: i, isIndex: true})
		places[i] = itemPlace{text: t, at: path, line: t.line}
		if root != nil {
			line, _ := locate(root, path)
			places[i].line = t.line + line - 1
		}
	}
	return places
}

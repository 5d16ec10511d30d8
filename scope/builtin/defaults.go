package builtin

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
)

//go:embed defaults.json
var defaultsJSON []byte

// table is the content of defaults.json: what the server fills in, by Go type, so that what holds for a PodSpec is
// said once and not for each kind that has one.
type table struct {
	Version string                  `json:"version"`
	Kinds   map[string]string       `json:"kinds"` // from group/version/kind to the type
	Types   map[string]typeDefaults `json:"types"`
}

// typeDefaults says what the server fills into one struct. The keys of Absent and Zero are field names, joined by dots
// where the default of an inner struct depends on what it is in.
type typeDefaults struct {
	Absent map[string]any    `json:"absent"` // for fields that are missing
	Zero   map[string]any    `json:"zero"`   // for fields that are missing or zero, which Go cannot tell apart
	Rules  []string          `json:"rules"`  // fields that depend on others, and therefore are filled by rules
	Fields map[string]string `json:"fields"` // how to reach the inner structs that have defaults
}

// loadTable reads defaults.json once. The file is part of the program, so a file that cannot be read is a broken build.
var loadTable = sync.OnceValue(func() table {
	var t table
	if err := json.Unmarshal(defaultsJSON, &t); err != nil {
		panic(fmt.Sprintf("builtin: read defaults.json: %v", err))
	}
	return t
})

// Default fills in, in place, what an API server of Version fills into an object of a built-in kind before admission
// sees it: the defaults of the object's version, and what the conversion to the internal version and back changes. It
// does not do what the server does later, in storage (status reset, generation, cluster IPs), nor what depends on the
// clock.
//
// The object is as decoded from YAML, with numbers int64 or float64. Check it strictly before: like the server, Default
// also overwrites and removes fields. An object of a kind that the table does not know stays as it is; the result says
// whether the kind is known.
func Default(gvk schema.GroupVersionKind, object map[string]any) bool {
	t := loadTable()
	typ, known := t.Kinds[gvk.GroupVersion().String()+"/"+gvk.Kind]
	if known {
		t.fill(typ, object)
	}
	return known
}

// fill fills one struct and everything below. The rules come first and see what the author wrote; where that matters,
// they treat a missing field like its default. Then the table goes from the outside in, as the server does.
func (t table) fill(typ string, node map[string]any) {
	if rule := rules[typ]; rule.fill != nil {
		rule.fill(node)
	}
	d := t.Types[typ]
	for path, value := range d.Absent {
		t.set(typ, node, path, value, false)
	}
	for path, value := range d.Zero {
		t.set(typ, node, path, value, true)
	}
	for name, reference := range d.Fields {
		held, inner := splitReference(reference)
		switch value := node[name].(type) {
		case nil:
			if held == "" {
				t.fillMissing(inner, node, name)
			}
		case map[string]any:
			if held == "" || held == "*" {
				t.fill(inner, value)
			} else {
				for _, element := range value {
					t.fillElement(inner, element)
				}
			}
		case []any:
			for _, element := range value {
				t.fillElement(inner, element)
			}
		}
	}
}

// fillMissing fills a struct that the author left out but that is always there for the server. If the server puts
// nothing into it, it stays away.
func (t table) fillMissing(typ string, node map[string]any, name string) {
	inner := map[string]any{}
	if t.fill(typ, inner); len(inner) > 0 {
		node[name] = inner
	}
}

func (t table) fillElement(typ string, element any) {
	if inner, ok := element.(map[string]any); ok {
		t.fill(typ, inner)
	}
}

// splitReference splits a reference in Fields into how the struct is held (in place, "*", "[]" or "map[]") and its type.
func splitReference(reference string) (held, typ string) {
	for _, held := range []string{"*", "[]", "map[]"} {
		if typ, ok := strings.CutPrefix(reference, held); ok {
			return held, typ
		}
	}
	return "", reference
}

// set fills the field at the end of a path, unless it is set or the struct that would hold it is missing.
func (t table) set(typ string, node map[string]any, path string, value any, zeroIsMissing bool) {
	name, rest, nested := strings.Cut(path, ".")
	if nested {
		held, inner := splitReference(t.Types[typ].Fields[name])
		if node[name] == nil && held == "" {
			node[name] = map[string]any{}
		}
		if below, ok := node[name].(map[string]any); ok {
			t.set(inner, below, rest, value, zeroIsMissing)
		}
		return
	}
	if missing(node[name]) || zeroIsMissing && isZero(node[name]) {
		node[name] = runtime.DeepCopyJSONValue(value)
	}
}

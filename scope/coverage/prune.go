package coverage

import (
	"encoding/json"
	"maps"
	"reflect"

	"github.com/ambit-k8s/ambit/scope"
)

// filler stands in a mapping for the fields that were left out, where it would be empty
// otherwise although it is not.
const filler = "…"

// prune returns what of a value is in a part. Whatever sees no more than the part cannot
// tell the result from the value, also after the result has passed through a Go type:
// mappings and lists stay empty or not, and so stay there or not.
func prune(v any, p *scope.Part, t reflect.Type) any {
	if p.Whole {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return pruneMap(v, p, t)
	case []any:
		return pruneList(v, p, t)
	}
	return v
}

func pruneMap(v map[string]any, p *scope.Part, t reflect.Type) any {
	if p.Items != nil {
		return v
	}
	out := pruneFields(v, p, t)
	if len(out) == 0 && len(v) > 0 {
		return stuffed(v, t)
	}
	return out
}

// pruneObject prunes a whole object. It and its metadata are never empty.
func pruneObject(v map[string]any, p *scope.Part, t reflect.Type) map[string]any {
	if p.Whole {
		return withoutManagers(v)
	}
	out := pruneFields(v, p, t)
	if metadata, ok := v["metadata"].(map[string]any); ok && p.Fields["metadata"] != nil {
		metadata = withoutManagers(map[string]any{"metadata": metadata})["metadata"].(map[string]any)
		if out["metadata"] = metadata; !p.Fields["metadata"].Whole && p.Fields["metadata"].Items == nil {
			out["metadata"] = pruneFields(metadata, p.Fields["metadata"], fieldOf(t, "metadata").typ)
		}
	}
	return out
}

// withoutManagers drops the managers of fields, which whoever writes the object again
// replaces.
func withoutManagers(v map[string]any) map[string]any {
	metadata, ok := v["metadata"].(map[string]any)
	if _, has := metadata["managedFields"]; !ok || !has {
		return v
	}
	v, metadata = maps.Clone(v), maps.Clone(metadata)
	delete(metadata, "managedFields")
	v["metadata"] = metadata
	return v
}

// pruneFields prunes the fields of a mapping. Below a Go type, a field of which Go knows
// nothing stays whole.
func pruneFields(v map[string]any, p *scope.Part, t reflect.Type) map[string]any {
	out := make(map[string]any, len(p.Fields))
	for name, field := range p.Fields {
		value, ok := v[name]
		if !ok {
			continue
		}
		known := fieldOf(t, name)
		if known.vanishes || t != nil && known.typ == nil {
			out[name] = value
			continue
		}
		out[name] = prune(value, field, known.typ)
	}
	return out
}

// stuffed is a mapping that stands for one of which nothing but its being there is known.
func stuffed(v map[string]any, t reflect.Type) any {
	t = pointedAt(t)
	switch {
	case t == nil:
		return map[string]any{filler: ""}
	case writesItself(t):
		return v
	case t.Kind() == reflect.Map:
		if zero, ok := zeroOf(t.Elem()); ok {
			return map[string]any{filler: zero}
		}
		return v
	}
	// A struct is there for CEL whatever is in it. It has no field with that name, and Go
	// drops it again.
	return map[string]any{filler: ""}
}

// zeroOf is Go's zero value of a type as JSON has it.
func zeroOf(t reflect.Type) (any, bool) {
	if t.Kind() == reflect.String && !writesItself(t) {
		return "", true
	}
	data, err := json.Marshal(reflect.Zero(t).Interface())
	if err != nil {
		return nil, false
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, false
	}
	return v, true
}

// pruneList prunes the items of a list, or leaves one of them if nobody looks at them: the
// list is then only known not to be empty.
func pruneList(v []any, p *scope.Part, t reflect.Type) any {
	if p.Keys || len(p.Fields) > 0 || len(v) == 0 {
		return v
	}
	if p.Items == nil {
		return []any{anyItem(v, t)}
	}
	out := make([]any, len(v))
	for i, item := range v {
		out[i] = prune(item, p.Items, itemOf(t))
	}
	return out
}

// anyItem stands for the items of a list at which nobody looks.
func anyItem(v []any, t reflect.Type) any {
	if t == nil {
		return filler
	}
	if item := itemOf(t); item != nil {
		if zero, ok := zeroOf(item); ok {
			return zero
		}
	}
	return v[0]
}

package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// jsonKind is what the decoder calls the JSON form of a value.
func jsonKind(value any) string {
	switch value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "bool"
	case nil:
		return "null"
	}
	return "number"
}

// indexed turns the path of a decoding error, which leaves out the indices of lists, into
// the path of the first value of that JSON form that the error can be about.
func indexed(value any, keys []string, form string) (path string, ok bool) {
	if list, isList := value.([]any); isList && (len(keys) > 0 || form != "array") {
		for i, item := range list {
			if rest, ok := indexed(item, keys, form); ok {
				return fmt.Sprintf("[%d]%s", i, rest), true
			}
		}
		return "", false
	}
	object, isObject := value.(map[string]any)
	if len(keys) == 0 && isObject && form != "object" {
		return entry(object, form)
	}
	if len(keys) == 0 {
		return "", jsonKind(value) == form
	}
	if !isObject {
		return "", false
	}
	child, there := object[keys[0]]
	if !there {
		return "", false
	}
	rest, ok := indexed(child, keys[1:], form)
	return "." + keys[0] + rest, ok
}

// entry finds the first value of a JSON form in a mapping that the API has as a map.
func entry(object map[string]any, form string) (path string, ok bool) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if jsonKind(object[key]) == form {
			return fmt.Sprintf("[%q]", key), true
		}
	}
	return "", false
}

// firstMatch is the path that a decoding error is about; the path of the error itself if
// no value fits.
func (d Document) firstMatch(path, form string) string {
	if found, ok := indexed(d.Object.Object, strings.Split(path, "."), form); ok {
		return strings.TrimPrefix(found, ".")
	}
	return path
}

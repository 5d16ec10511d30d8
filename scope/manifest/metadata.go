package manifest

import "fmt"

// The fields of metadata by their form. The API server refuses any other form, and code
// that reads labels from an unchecked object would take them for absent.
var (
	textFields = []string{"name", "generateName", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "selfLink"}
	mapFields  = []string{"labels", "annotations"}
	listFields = []string{"ownerReferences", "finalizers", "managedFields"}
)

// CheckMetadata reports metadata that is no metadata: the first thing in it that has the
// wrong form. A label that is there without a value is set to the empty text, as the API
// server does.
func (d Document) CheckMetadata() (Problem, bool) {
	value := d.Object.Object["metadata"]
	if value == nil {
		return Problem{}, true
	}
	metadata, ok := value.(map[string]any)
	if !ok {
		return d.Problem(Error, "metadata", "metadata is "+kindOf(value)+", not a mapping", "write name, namespace and labels below metadata, indented"), false
	}
	for _, name := range textFields {
		switch v := metadata[name].(type) {
		case nil, string:
		default:
			return d.Problem(Error, "metadata."+name, fmt.Sprintf("metadata.%s is %s, not text", name, kindOf(v)), "put quotes around it"), false
		}
	}
	for _, name := range mapFields {
		if p, ok := d.checkMap(metadata, name); !ok {
			return p, false
		}
	}
	for _, name := range listFields {
		switch v := metadata[name].(type) {
		case nil, []any:
		default:
			return d.Problem(Error, "metadata."+name, fmt.Sprintf("metadata.%s is %s, not a list", name, kindOf(v)), "begin each item with a dash"), false
		}
	}
	return Problem{}, true
}

func (d Document) checkMap(metadata map[string]any, name string) (Problem, bool) {
	value := metadata[name]
	if value == nil {
		return Problem{}, true
	}
	entries, ok := value.(map[string]any)
	if !ok {
		return d.Problem(Error, "metadata."+name, fmt.Sprintf("metadata.%s is %s, not a mapping", name, kindOf(value)), `write one "key: value" per line`), false
	}
	for key, entry := range entries {
		switch entry.(type) {
		case string:
		case nil:
			entries[key] = ""
		default:
			path := fmt.Sprintf("metadata.%s[%q]", name, key)
			return d.Problem(Error, path, fmt.Sprintf("%s is %s, not text", path, kindOf(entry)), "put quotes around the value"), false
		}
	}
	return Problem{}, true
}

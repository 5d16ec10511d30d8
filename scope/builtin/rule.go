package builtin

import (
	"maps"

	"k8s.io/apimachinery/pkg/runtime"
)

// rule does for one Go type what the table cannot say, because it depends on more than whether the field is missing.
type rule struct {
	// fills are the fields which the table leaves to this rule, as type and path. A test holds them to the table, so
	// that a new version of Kubernetes cannot bring a default that nobody noticed.
	fills []string
	fill  func(node map[string]any)
}

// rules are all rules by the type whose structs they get to see.
var rules = collect(coreRules, podRules, workloadRules, otherRules)

func collect(all ...map[string]rule) map[string]rule {
	collected := map[string]rule{}
	for _, some := range all {
		maps.Copy(collected, some)
	}
	return collected
}

// missing says that a value decodes to what Go has for a pointer, list or map that nobody set.
func missing(value any) bool {
	list, isList := value.([]any)
	return value == nil || isList && len(list) == 0
}

// isZero says that a value decodes to the zero value of a string, number or boolean.
func isZero(value any) bool {
	switch value {
	case "", int64(0), float64(0), false:
		return true
	}
	return false
}

// text returns a string field, or "" where there is none.
func text(node map[string]any, name string) string {
	s, _ := node[name].(string)
	return s
}

// object returns a field that is an object. Where there is none, the result can be read, but not written to.
func object(node map[string]any, name string) map[string]any {
	o, _ := node[name].(map[string]any)
	return o
}

// objects returns the objects of a field that is a list.
func objects(node map[string]any, name string) []map[string]any {
	list, _ := node[name].([]any)
	var all []map[string]any
	for _, element := range list {
		if o, ok := element.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}

// made returns a field that is an object, and makes it where it is missing. A field that is something else is left
// alone: the result then is of no consequence.
func made(node map[string]any, name string) map[string]any {
	if node[name] == nil {
		node[name] = map[string]any{}
	}
	if o := object(node, name); o != nil {
		return o
	}
	return map[string]any{}
}

// setMissing sets a field to a value of its own if the field is missing.
func setMissing(node map[string]any, name string, value any) {
	if missing(node[name]) {
		node[name] = runtime.DeepCopyJSONValue(value)
	}
}

// addMissing copies those entries of a map that another does not have.
func addMissing(to, from map[string]any) {
	for key, value := range from {
		if _, has := to[key]; !has {
			to[key] = runtime.DeepCopyJSONValue(value)
		}
	}
}

package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Unmarked returns a review without the marks of mutating policies, which is how these themselves saw it.
func Unmarked(raw []byte) ([]byte, error) {
	var review map[string]any
	if err := utiljson.Unmarshal(raw, &review); err != nil {
		return nil, fmt.Errorf("read review: %w", err)
	}
	request, _ := review["request"].(map[string]any)
	object, _ := request["object"].(map[string]any)
	if words, ok := object["command"].([]any); ok {
		object["command"] = slices.DeleteFunc(words, func(word any) bool {
			text, _ := word.(string)
			return strings.HasPrefix(text, markerPrefix)
		})
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		annotations, _ := metadata["annotations"].(map[string]any)
		maps.DeleteFunc(annotations, func(key string, _ any) bool { return strings.HasPrefix(key, markerPrefix) })
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	data, err := json.Marshal(review)
	if err != nil {
		return nil, fmt.Errorf("write review: %w", err)
	}
	return data, nil
}

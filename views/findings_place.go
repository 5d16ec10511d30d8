package views

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
)

// maxExcerpt bounds the lines of a manifest that a finding shows.
const maxExcerpt = 12

// excerpt is what stands at a field of a policy, as YAML under its own name. A field that
// only bindings have is looked up in the binding; an absent one has no excerpt.
func excerpt(p *scope.Policy, field string) string {
	if p == nil || field == "" {
		return ""
	}
	for _, source := range []any{p.Source, p.BindingSource} {
		if text := excerptOf(source, field); text != "" {
			return text
		}
	}
	return ""
}

// fieldSteps are the steps of a field's path: names, indices, and quoted keys with dots.
var fieldSteps = regexp.MustCompile(`\["[^"]*"\]|\[\d+\]|[^.\[\]]+`)

// excerptOf follows a path. An item of a list stands under the name of the list.
func excerptOf(source any, field string) string {
	data, err := json.Marshal(source)
	var node any
	if err != nil || json.Unmarshal(data, &node) != nil {
		return ""
	}
	name, item := "", false
	for _, step := range fieldSteps.FindAllString(field, -1) {
		step = strings.Trim(step, `[]"`)
		switch at := node.(type) {
		case map[string]any:
			name, item, node = step, false, at[step]
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index < 0 || index >= len(at) {
				return ""
			}
			item, node = true, at[index]
		default:
			return ""
		}
	}
	switch {
	case node == nil:
		return ""
	case item:
		node = []any{node}
	}
	return cutText(map[string]any{name: node})
}

// cutText writes YAML and cuts what is too long to be an excerpt.
func cutText(node any) string {
	cutBundles(node)
	text, err := yaml.Marshal(node)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) > maxExcerpt {
		lines = append(lines[:maxExcerpt], "…")
	}
	return strings.Join(lines, "\n")
}

package views

import (
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"
)

// Manifest is an object as text.
type Manifest struct{ Title, Text string }

// manifests writes the objects that a group was read from, each once.
func manifests(g *Group) []Manifest {
	var all []Manifest
	add := func(title string, source any) {
		if text := manifestText(source); text != "" {
			all = append(all, Manifest{title, text})
		}
	}
	add(g.Kind+" "+g.Name, g.Entries[0].Policy.Source)
	for _, e := range g.Entries {
		add(g.Kind+"Binding "+e.Policy.Entry, e.Policy.BindingSource)
	}
	return all
}

// manifestText writes an object as YAML without what only machines read.
func manifestText(source any) string {
	data, err := json.Marshal(source)
	var o map[string]any
	if err != nil || json.Unmarshal(data, &o) != nil || o == nil {
		return ""
	}
	if meta, ok := o["metadata"].(map[string]any); ok {
		delete(meta, "managedFields")
		if meta["creationTimestamp"] == nil {
			delete(meta, "creationTimestamp")
		}
		if annotations, ok := meta["annotations"].(map[string]any); ok {
			delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
			if len(annotations) == 0 {
				delete(meta, "annotations")
			}
		}
	}
	if status, ok := o["status"].(map[string]any); ok && len(status) == 0 {
		delete(o, "status")
	}
	cutBundles(o)
	text, err := yaml.Marshal(o)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// cutBundles shortens certificates, which are most of a webhook configuration's bytes and
// say nothing about its scope.
func cutBundles(node any) {
	switch node := node.(type) {
	case map[string]any:
		for key, value := range node {
			if text, ok := value.(string); ok && key == "caBundle" {
				node[key] = shorten(text, 24)
				continue
			}
			cutBundles(value)
		}
	case []any:
		for _, value := range node {
			cutBundles(value)
		}
	}
}

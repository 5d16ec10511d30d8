// Package generate makes up the policies and the requests of a comparison. Everything follows from a seed. It aims at
// what is easily got wrong: wildcards, subresources, other versions of the same objects, Namespaces, requests without
// an object or without a name, selectors that contradict each other, conditions that fail.
package generate

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

//go:embed kinds.yaml
var kindsYAML []byte

// Kind is a kind of objects that requests are about.
type Kind struct {
	Resource     string   `json:"resource"`
	Namespaced   bool     `json:"namespaced"`
	Weight       int      `json:"weight"`
	Verbs        []string `json:"verbs"`
	Names        []string `json:"names"`
	Nameless     bool     `json:"nameless"`
	Facts        bool     `json:"facts"`
	Subresources []string `json:"subresources"`
	// Template is an object that the API server accepts. $NAMESPACE stands for its namespace.
	Template json.RawMessage `json:"object"`

	gvk schema.GroupVersionKind
}

// Kinds returns all kinds.
func Kinds() ([]Kind, error) {
	var kinds []Kind
	if err := yaml.UnmarshalStrict(kindsYAML, &kinds); err != nil {
		return nil, fmt.Errorf("kinds.yaml: %w", err)
	}
	for i := range kinds {
		k := &kinds[i]
		k.Weight = max(k.Weight, 1)
		k.gvk = (&unstructured.Unstructured{Object: k.object("")}).GroupVersionKind()
	}
	return kinds, nil
}

// GVR is the resource of the kind.
func (k *Kind) GVR() schema.GroupVersionResource {
	return k.gvk.GroupVersion().WithResource(k.Resource)
}

// pooled reports whether objects of the kind are to exist before anything is asked.
func (k *Kind) pooled() bool { return len(k.Names) == 0 && k.does("update") }

func (k *Kind) does(verb string) bool { return len(k.Verbs) == 0 || slices.Contains(k.Verbs, verb) }

// object is a fresh object without metadata.
func (k *Kind) object(namespace string) map[string]any {
	var object map[string]any
	if err := utiljson.Unmarshal([]byte(strings.ReplaceAll(string(k.Template), "$NAMESPACE", namespace)), &object); err != nil {
		panic(err) // The template was JSON a moment ago.
	}
	object["metadata"] = map[string]any{}
	return object
}

// path is the URL path of the kind's objects in a namespace.
func (k *Kind) path(namespace string) string {
	prefix := "/apis/" + k.gvk.GroupVersion().String()
	if k.gvk.Group == "" {
		prefix = "/api/" + k.gvk.Version
	}
	if k.Namespaced {
		prefix += "/namespaces/" + namespace
	}
	return prefix + "/" + k.Resource
}

// named is a fresh object with a name, a namespace and labels.
func (k *Kind) named(namespace, name string, labels map[string]string) map[string]any {
	object := k.object(namespace)
	metadata := object["metadata"].(map[string]any)
	if name != "" {
		metadata["name"] = name
	}
	if k.Namespaced {
		metadata["namespace"] = namespace
	}
	setLabels(object, labels)
	return object
}

func setLabels(object map[string]any, labels map[string]string) {
	metadata := object["metadata"].(map[string]any)
	if len(labels) == 0 {
		delete(metadata, "labels")
		return
	}
	all := map[string]any{}
	for k, v := range labels {
		all[k] = v
	}
	metadata["labels"] = all
}

func labelsOf(object map[string]any) map[string]string {
	return (&unstructured.Unstructured{Object: object}).GetLabels()
}

func deepCopy(object map[string]any) map[string]any { return runtime.DeepCopyJSON(object) }

func encode(object map[string]any) []byte {
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // Objects come from JSON.
	}
	return data
}

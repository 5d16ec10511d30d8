package seed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Read reads the objects of all YAML files of a folder, in the order of the names of the files. It does not look into
// the folders below: those of the sample hold requests.
func Read(folder fs.FS) ([]*unstructured.Unstructured, error) {
	paths, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the manifests: %w", err)
	}
	var all []*unstructured.Unstructured
	for _, path := range paths {
		text, err := fs.ReadFile(folder, path)
		if err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		objects, err := Documents(text)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		all = append(all, objects...)
	}
	return all, nil
}

// Documents reads the objects of one text.
func Documents(text []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var fields map[string]any
		err := decoder.Decode(&fields)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		if len(fields) > 0 {
			objects = append(objects, &unstructured.Unstructured{Object: fields})
		}
	}
}

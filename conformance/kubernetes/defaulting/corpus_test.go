package defaulting

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// document is one object of the corpus that is of a built-in kind and decodes strictly.
type document struct {
	kind   schema.GroupVersionKind
	fields map[string]any
}

// Objects and policies that people wrote get the same defaults from Ambit as from the server.
func TestDefaultAgreesWithServerOnCorpus(t *testing.T) {
	perKind := map[string]int{}
	for _, d := range readCorpus(t) {
		perKind[d.kind.GroupVersion().String()+"/"+d.kind.Kind]++
		expectEqual(t, d.kind, d.fields)
	}
	t.Logf("by kind: %v", perKind)
}

// readCorpus reads the collected objects and policies, which lie next to the repository.
func readCorpus(t *testing.T) []document {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "shared", "corpus")
	var files []string
	for _, folder := range []string{"objects", "admission", "flowcontrol"} {
		some, err := filepath.Glob(filepath.Join(root, folder, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	if len(files) == 0 {
		t.Skipf("the corpus of collected objects is not at %s", root)
	}
	known, all, builtIn := kinds(), 0, 0
	var documents []document
	for _, file := range files {
		for _, fields := range readFile(t, file) {
			all++
			kind := (&unstructured.Unstructured{Object: fields}).GroupVersionKind()
			if _, ok := known[kind.GroupVersion().String()+"/"+kind.Kind]; !ok {
				continue
			}
			builtIn++
			if _, err := decodeFields(kind, fields); err == nil {
				documents = append(documents, document{kind, fields})
			}
		}
	}
	t.Logf("%d documents, %d of a built-in kind, %d of these decode strictly", all, builtIn, len(documents))
	return documents
}

// readFile returns the objects of a file of YAML documents.
func readFile(t *testing.T, path string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var objects []map[string]any
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		text, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		asJSON, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Logf("%s: %v", path, err)
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(asJSON, &fields); err == nil && fields != nil {
			objects = append(objects, fields)
		}
	}
}

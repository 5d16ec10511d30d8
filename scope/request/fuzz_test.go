package request

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// Whatever is pasted and said, nothing panics, and a request that is derived can be asked.
func FuzzDerive(f *testing.F) {
	files, err := filepath.Glob("testdata/derive/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			if part.Name == "request.yaml" {
				f.Add(part.Data, []byte("{}"), "", "", "")
				f.Add(part.Data, part.Data, "UPDATE", "scale", "team-a")
				f.Add(part.Data, part.Data, "DELETE", "", "")
			}
		}
	}
	known := facts(widgets())
	f.Fuzz(func(t *testing.T, data, old []byte, operation, subresource, namespace string) {
		documents, _ := manifest.Read("fuzz", data, 1<<16)
		ask := Ask{Operation: operation, Subresource: subresource, Namespace: namespace}
		if olds, _ := manifest.Read("old", old, 1<<16); len(olds) > 0 {
			ask.OldObject = &olds[0]
		}
		derived, problems := Derive(documents, ask, known)
		if (derived == nil) != manifest.Failed(problems) {
			t.Errorf("derived %v with problems %v", derived, problems)
		}
		if derived == nil {
			return
		}
		derived.Request.Attributes()
		for _, open := range derived.Request.Open {
			derived.LineOf(open.Path)
		}
	})
}

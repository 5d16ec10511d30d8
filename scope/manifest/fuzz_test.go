package manifest

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Whatever is pasted, nothing panics, and what is returned can be used.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data, "metadata.name")
	}
	f.Add([]byte(positions), `metadata.labels["app.kubernetes.io/name"]`)
	f.Add([]byte(laughs()), "spec.a1[2][3]")
	f.Add([]byte("a: &a\n  <<: *a\n  b: [*a]\n"), "b[0].b[0]")
	f.Add([]byte(`{"apiVersion":"v1","kind":"List","items":[{"kind":"PodList","apiVersion":"v1","items":[null,{}]}]}`), "")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		documents, problems := Read("fuzz", data, 1<<16)
		for _, p := range problems {
			_ = p.String()
		}
		for _, d := range documents {
			if line, _ := d.LineOf(path); line < 1 {
				t.Errorf("line %d", line)
			}
			if d.Object.GetKind() == "" || d.Object.GetAPIVersion() == "" {
				t.Errorf("no kind: %v", d.Object)
			}
			_, more := d.Typed()
			for _, p := range more {
				_ = p.String()
			}
		}
	})
}

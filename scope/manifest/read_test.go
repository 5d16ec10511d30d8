package manifest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// lines writes things one per line, as the fixtures have them.
func lines[T any](all []T, write func(T) string) string {
	var b strings.Builder
	for _, one := range all {
		b.WriteString(write(one) + "\n")
	}
	return b.String()
}

// Each fixture has the text of a source, the documents in it (number, line, kind and
// name) and the problems.
func TestReadFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range archive.Files {
				parts[f.Name] = string(f.Data)
			}
			documents, problems := Read("in.yaml", []byte(parts["in.yaml"]), DefaultLimit)
			gotDocuments := lines(documents, func(d Document) string {
				return fmt.Sprintf("%d %d %s/%s", d.Index, d.Line, d.Object.GetKind(), d.Object.GetName())
			})
			if diff := cmp.Diff(parts["documents"], gotDocuments); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(parts["problems"], lines(problems, Problem.String)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

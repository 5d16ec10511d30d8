package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The data files of package builtin are what this command writes.
func TestDataFilesAreCurrent(t *testing.T) {
	dir := t.TempDir()
	if err := run(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"resources.json", "defaults.json"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "scope", "builtin", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is not current: %s (-want +got)\n%s", name, regenerate, diff)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// run calls the command as main does.
func run(args []string, stdin []byte) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(bytes.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(context.Background())
	if err != nil {
		fmt.Fprintln(&errs, "ambit: "+err.Error())
	}
	return out.String(), errs.String(), status(err)
}

// unpack writes the files of an archive to a folder that becomes the working directory,
// so that messages have the names that the archive has.
func unpack(t *testing.T, file string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
		if strings.HasSuffix(f.Name, ".yaml") {
			if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return parts
}

// archives lists txtar files with absolute names.
func archives(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for i := range files {
		if files[i], err = filepath.Abs(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Each fixture is a command line with its files, and what comes of it.
func TestCommandLines(t *testing.T) {
	for _, file := range archives(t, "testdata/*.txtar") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			parts := unpack(t, file)
			stdout, stderr, code := run(strings.Fields(parts["args"]), []byte(parts["stdin"]))
			for name, got := range map[string]string{"stdout": stdout, "stderr": stderr, "status": fmt.Sprintln(code)} {
				if diff := cmp.Diff(parts[name], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

func TestVersion(t *testing.T) {
	if stdout, _, code := run([]string{"version"}, nil); code != 0 || !strings.Contains(stdout, "Kubernetes 1.37") {
		t.Errorf("status %d: %s", code, stdout)
	}
}

func TestColourOnlyOnTerminals(t *testing.T) {
	if newText(&bytes.Buffer{}).colour {
		t.Error("a buffer is no terminal")
	}
	coloured := &text{colour: true}
	if got := coloured.paint(red, "x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
}

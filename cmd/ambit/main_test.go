package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"
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
			got := map[string]string{"stderr": stderr, "status": fmt.Sprintln(code)}
			if want, ok := parts["document"]; ok {
				sameDocument(t, want, stdout)
			} else {
				got["stdout"] = stdout
			}
			for name, got := range got {
				if diff := cmp.Diff(parts[name], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// sameDocument compares what was answered with a document of the contract, which lists the
// policies that matter, without their layers.
func sameDocument(t *testing.T, want, got string) {
	t.Helper()
	type document struct {
		Request  any              `json:"request"`
		Policies []map[string]any `json:"policies"`
	}
	var wanted, answered document
	for text, into := range map[string]*document{want: &wanted, got: &answered} {
		if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(wanted.Request, answered.Request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	var judged []map[string]any
	for _, p := range answered.Policies {
		if layers, ok := p["layers"].([]any); !ok || len(layers) == 0 {
			t.Errorf("%s has no layers", p["name"])
		}
		delete(p, "layers")
		if slices.ContainsFunc(wanted.Policies, func(w map[string]any) bool { return w["kind"] == p["kind"] && w["name"] == p["name"] }) {
			judged = append(judged, p)
		}
	}
	if diff := cmp.Diff(wanted.Policies, judged); diff != "" {
		t.Errorf("policies (-want +got):\n%s", diff)
	}
}

// A line can stand where a file is named, unless there is a file of that name.
func TestLineInPlaceOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("cluster.yaml", []byte("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const line = "list pods -n shop"
	stdout, stderr, code := run([]string{"explain", line, "-f", "cluster.yaml"}, nil)
	if code != 0 || !strings.HasPrefix(stdout, "list pods in namespace shop\n") {
		t.Errorf("status %d: %s%s", code, stdout, stderr)
	}
	if err := os.WriteFile(line, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code = run([]string{"explain", line, "-f", "cluster.yaml"}, nil); code != 0 || !strings.HasPrefix(stdout, "CREATE configmaps a") {
		t.Errorf("status %d: %s%s", code, stdout, stderr)
	}
	if _, stderr, code = run([]string{"explain", "no such file", "-f", "cluster.yaml"}, nil); code != statusInput || !strings.Contains(stderr, "no such file") {
		t.Errorf("status %d: %s", code, stderr)
	}
}

func TestVersion(t *testing.T) {
	if stdout, _, code := run([]string{"version"}, nil); code != 0 || !strings.Contains(stdout, "\nKubernetes 1.37") || !strings.Contains(stdout, "\nKyverno 1.19.1\n") {
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

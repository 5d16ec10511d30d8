// Package ambit_test holds what is true of the tree as a whole.
package ambit_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/ambit-k8s/ambit/"

// arrows says which packages of the module a package may import. Everything not listed
// for a layer of the house is forbidden to it.
var arrows = []struct {
	layer string
	may   []string
}{
	{"scope", []string{"scope"}},
	{"cluster", []string{"scope", "cluster"}},
	{"views", []string{"scope", "views", "static"}},
	{"server", []string{"scope", "cluster", "views", "server", "static"}},
	{"static", nil},
}

// forbidden are foreign packages that a layer must not import, because the engine does no
// I/O and watches nothing.
var forbidden = map[string][]string{
	"scope": {"net/http", "k8s.io/client-go/informers", "k8s.io/client-go/rest", "k8s.io/client-go/tools/cache", "k8s.io/kubernetes"},
}

// allowed are the exceptions: the API server's parser of URLs takes an http.Request, which
// is made for it and never sent.
var allowed = map[string]string{module + "scope/request/urlinfo": "net/http"}

// TestArrowsPointOneWay holds the direction of imports: cmd, server, views, cluster, scope.
func TestArrowsPointOneWay(t *testing.T) {
	for _, p := range list(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		layer, _, _ := strings.Cut(path, "/")
		for _, a := range arrows {
			if a.layer != layer {
				continue
			}
			for _, imported := range p.Imports {
				check(t, p.ImportPath, layer, imported, a.may)
			}
		}
	}
}

// TestKindsDoNotKnowEachOther keeps a new kind of policy in one new folder.
func TestKindsDoNotKnowEachOther(t *testing.T) {
	kinds := []string{"scope/admission", "scope/flow", "scope/kyverno"}
	for _, p := range list(t) {
		for _, kind := range kinds {
			for _, other := range kinds {
				if kind != other && p.ImportPath == module+kind && contains(p.Imports, module+other) {
					t.Errorf("%s imports %s", kind, other)
				}
			}
		}
	}
}

func check(t *testing.T, importer, layer, imported string, may []string) {
	t.Helper()
	for _, f := range forbidden[layer] {
		if allowed[importer] == imported {
			continue
		}
		if imported == f || strings.HasPrefix(imported, f+"/") {
			t.Errorf("%s imports %s, which %s must not", importer, imported, layer)
		}
	}
	path, own := strings.CutPrefix(imported, module)
	if !own {
		return
	}
	target, _, _ := strings.Cut(path, "/")
	if !contains(may, target) {
		t.Errorf("%s imports %s, against the arrows", importer, imported)
	}
}

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 5 {
		t.Fatalf("go list found %d packages", len(all))
	}
	return all
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

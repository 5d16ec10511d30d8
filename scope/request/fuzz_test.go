package request

import (
	"encoding/json"
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

// Whatever somebody types, a line is answered or refused in a sentence, and never both.
func FuzzFromText(f *testing.F) {
	for _, text := range []string{
		"get pods -A --as system:serviceaccount:a:b", "kubectl -n x get po/web -o yaml | wc", "auth can-i '*' '*'", "GET /apis/apps/v1/watch",
		"get --raw '/api/v1/pods?watch=1' --as jane --as-group devs", "exec -it web -- sh -c \"ls\"", "create token robot", "scale deploy/web --current-replicas 1",
		"watch https://x/api/v1/namespaces/x", "label ns x a=b c-", "delete pods --all -l a=b", "get pods,services", "set image", "#\nget ns",
		accessReview("SubjectAccessReview", listEvents),
	} {
		f.Add([]byte(text), "", "", "", false)
		f.Add([]byte(text), "patch", "deploy.apps", "", true)
		f.Add([]byte(text), "", "", "/x", false)
	}
	known := facts(widgets())
	f.Fuzz(func(t *testing.T, data []byte, verb, resource, path string, all bool) {
		derived, problems := FromText("fuzz", data, 1<<16, Ask{Verb: verb, Resource: resource, Path: path, AllNamespaces: all}, known)
		if (derived == nil) != manifest.Failed(problems) {
			t.Errorf("derived %v with problems %v", derived, problems)
		}
		if derived == nil {
			return
		}
		r := derived.Request
		if r.Operation == "" && (len(r.Access.Verbs) == 0 || r.Access.Path == "" && r.Access.Resource == "") {
			t.Errorf("a request for nothing: %+v", r.Access)
		}
		if IsLine(string(data)) && r.Operation != "" {
			t.Errorf("a line reaches admission as %s", r.Operation)
		}
		if !json.Valid(derived.Review) {
			t.Errorf("no JSON: %s", derived.Review)
		}
		for _, open := range r.Open {
			derived.LineOf(open.Path)
		}
	})
}

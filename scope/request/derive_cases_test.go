package request

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// facts knows the built-in resources and those of some CustomResourceDefinitions.
func facts(crds ...*apiextensionsv1.CustomResourceDefinition) *scope.Facts {
	all := append([]resource.Resource{}, resource.Builtin()...)
	for _, crd := range crds {
		all = append(all, resource.FromCRD(crd)...)
	}
	return &scope.Facts{Resources: resource.NewSet(all, builtin.Cohabiting())}
}

// The requests of the shared cases say everything, so that nothing may be guessed and
// nothing but the options may be open.
func TestSharedCases(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string][]byte{}
		for _, f := range archive.Files {
			parts[f.Name] = f.Data
		}
		if !strings.Contains(string(parts["request.yaml"]), "kind: AdmissionReview") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) { sharedCase(t, parts["request.yaml"]) })
	}
}

func sharedCase(t *testing.T, data []byte) {
	documents, problems := manifest.Read("request.yaml", data, 0)
	derived, more := Derive(documents, Ask{}, facts())
	for _, p := range append(problems, more...) {
		t.Error(p)
	}
	if derived == nil {
		t.Fatal("no request")
	}
	if len(derived.Guesses) > 0 {
		t.Errorf("guesses: %v", derived.Guesses)
	}
	var review struct {
		Request struct {
			Name, Namespace, Operation, SubResource string
			Kind                                    struct{ Kind string }
			Resource                                struct{ Resource string }
			UserInfo                                map[string]any
			Options                                 map[string]any
			DryRun                                  bool
		}
	}
	if err := yaml.Unmarshal(data, &review); err != nil {
		t.Fatal(err)
	}
	want, got := review.Request, derived.Request
	if want.Name != got.Name || want.Namespace != got.Namespace || want.Operation != string(got.Operation) || want.SubResource != got.Subresource ||
		want.Kind.Kind != got.Kind.Kind || want.Resource.Resource != got.Resource.Resource || want.DryRun != got.DryRun {
		t.Errorf("want %+v, got %+v", want, got)
	}
	for _, open := range got.Open {
		if open.Path == "request.options" && want.Options == nil || open.Path == "request.userInfo" && want.UserInfo == nil {
			continue
		}
		t.Errorf("open: %+v", open)
	}
	if !json.Valid(derived.Review) {
		t.Errorf("the review is no JSON: %s", derived.Review)
	}
}

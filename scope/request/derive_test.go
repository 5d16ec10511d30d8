package request

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/manifest"
)

// widgets is a custom resource with a version that is not served.
func widgets() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"}}
	crd.Spec.Group = "example.com"
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Kind: "Widget"}
	crd.Spec.Scope = apiextensionsv1.NamespaceScoped
	status := &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{
		{Name: "v1", Served: true, Subresources: status}, {Name: "v1alpha1"},
	}
	return crd
}

// Each fixture has what was pasted, what was said beside it, and everything that follows.
func TestDeriveFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/derive/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
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
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { fixture(t, parts) })
	}
}

func fixture(t *testing.T, parts map[string][]byte) {
	var ask Ask
	if err := yaml.Unmarshal(parts["ask.yaml"], &ask); err != nil {
		t.Fatal(err)
	}
	documents, problems := manifest.Read("request.yaml", parts["request.yaml"], 0)
	if old, ok := parts["old.yaml"]; ok {
		read, more := manifest.Read("old.yaml", old, 0)
		problems = append(problems, more...)
		ask.OldObject = &read[0]
	}
	derived, more := Derive(documents, ask, facts(widgets()))
	if diff := cmp.Diff(string(parts["want"]), summary(derived, append(problems, more...))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// summary writes a derived request down, one thing per line.
func summary(d *Derived, problems []manifest.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "problem %s\n", p)
	}
	if d == nil {
		return b.String()
	}
	r := d.Request
	group := schema.ParseGroupResource(r.Resource.GroupResource().String()).String()
	if r.Subresource != "" {
		group += "/" + r.Subresource
	}
	fmt.Fprintf(&b, "request %s %s %s %s %s/%s", r.Operation, r.Kind.GroupVersion(), group, r.Kind.Kind, r.Namespace, r.Name)
	if r.DryRun {
		b.WriteString(" dryRun")
	}
	if r.User != nil {
		b.WriteString(" user=" + r.User.Username)
	}
	if r.Options != nil {
		fmt.Fprintf(&b, " options=%T", r.Options)
	}
	fmt.Fprintf(&b, "\nobject %s\nold %s\n", describe(r.Object), describe(r.OldObject))
	for _, g := range d.Guesses {
		fmt.Fprintf(&b, "guess %s=%s\n", g.Field, g.Value)
	}
	for _, m := range r.Open {
		fmt.Fprintf(&b, "open %s\n", m.Path)
	}
	for _, m := range r.OpenValidating {
		fmt.Fprintf(&b, "validating %s\n", m.Path)
	}
	return b.String()
}

func describe(o runtime.Object) string {
	if o == nil {
		return "nil"
	}
	m, err := meta.Accessor(o)
	if err != nil {
		return fmt.Sprintf("%T", o)
	}
	return fmt.Sprintf("namespace=%s labels=%s", m.GetNamespace(), labels.Set(m.GetLabels()))
}

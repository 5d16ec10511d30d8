package sample

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

func TestSource(t *testing.T) {
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	s := source.Snapshot()
	for _, p := range s.About.Problems {
		t.Error(p)
	}
	for _, gap := range s.About.Gaps {
		t.Error(gap)
	}
	if s.About.Kind != cluster.Sample || s.About.Source != "the built-in sample" {
		t.Errorf("about is %+v", s.About)
	}
	if len(s.Policies.Policies()) == 0 || len(s.Namespaces) == 0 {
		t.Error("there are no policies or no namespaces")
	}
	for _, c := range s.About.Counts {
		if c.Count == 0 {
			t.Errorf("there are no %s", c.Name)
		}
	}
	for _, p := range s.Policies.Policies() {
		if p.Origin == "" {
			t.Errorf("%s has no origin", p.ID())
		}
	}
}

// TestPopulation holds the objects of the sample to the documents in its files.
func TestPopulation(t *testing.T) {
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(objects, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := 0
	for _, file := range files {
		data, err := objects.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents += bytes.Count(append([]byte("\n"), data...), []byte("\nkind: "))
	}
	p := source.Snapshot().Population
	if !p.Complete() || p.Len() != documents {
		t.Errorf("%d objects of %d documents: %+v", p.Len(), documents, p.Resources)
	}
}

func TestExamples(t *testing.T) {
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no examples")
	}
	for _, e := range all {
		if e.Title == "" || strings.ContainsAny(e.Name, "/. ") || strings.HasPrefix(e.Title, "#") {
			t.Errorf("example %q is called %q", e.Title, e.Name)
		}
		derived, problems := request.FromText(e.Name, []byte(e.Text), 0, request.Ask{}, source.Snapshot().Facts)
		if derived == nil || manifest.Failed(problems) {
			t.Errorf("%s is no request: %v", e.Name, problems)
		}
	}
}

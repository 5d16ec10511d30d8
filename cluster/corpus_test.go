package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

// corpus is a folder of real policies and objects that lies beside the project, not in it.
const corpus = "../../shared/corpus"

// TestCorpus loads every real policy of the corpus and explains real objects against all
// of them: nothing may panic, and whatever is unknown must name the missing fact.
func TestCorpus(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skipf("the corpus of real policies is not here: %v", err)
	}
	ctx := context.Background()
	snapshot, err := cluster.LoadManifests(ctx, []string{filepath.Join(corpus, "admission")}, true, nil, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	policies := len(snapshot.Policies.Policies())
	if policies < 150 {
		t.Errorf("the corpus has %d policies, want at least 150", policies)
	}
	for _, p := range snapshot.About.Problems {
		t.Logf("problem: %s", p)
	}
	counts := map[scope.Outcome]int{}
	asked, refused := 0, 0
	for _, d := range corpusObjects(t) {
		derived, problems := request.Derive([]manifest.Document{d}, request.Ask{}, snapshot.Facts)
		if derived == nil {
			if len(problems) == 0 {
				t.Errorf("%s, document %d: no request and no problem", d.Source, d.Index)
			}
			refused++
			continue
		}
		asked++
		traces, err := snapshot.Policies.Explain(ctx, derived.Request, snapshot.Facts)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			counts[trace.Outcome]++
			if trace.Outcome == scope.Unknown && len(trace.Missing()) == 0 {
				t.Errorf("%s, document %d: %s is unknown and says not why", d.Source, d.Index, trace.Policy.ID())
			}
			if trace.Outcome != scope.Excluded && asked%10 == 0 {
				for i := range trace.Steps(ctx) {
					trace.Reasons(ctx, i)
				}
			}
		}
	}
	t.Logf("%d policies, %d objects explained, %d not of a known kind: %v", policies, asked, refused, counts)
	if asked < 1000 {
		t.Errorf("only %d objects of the corpus were explained", asked)
	}
}

// corpusObjects reads the objects of the corpus, and the policies, which are objects too.
func corpusObjects(t *testing.T) []manifest.Document {
	t.Helper()
	var all []manifest.Document
	for _, pattern := range []string{"objects/*", "admission/*"} {
		files, err := filepath.Glob(filepath.Join(corpus, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				continue
			}
			documents, _ := manifest.Read(filepath.Base(f), data, 1<<30)
			all = append(all, documents...)
		}
	}
	return all
}

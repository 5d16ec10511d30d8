package hazard_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// corpus is a folder of real policies that lies beside the project, not in it.
const corpus = "../../../shared/corpus/admission"

// judged are the findings in the corpus, every one of which was read and is right. Another
// number means that a rule finds more or less than it did, and that somebody has to read again.
var judged = map[string]int{
	// Twenty stubs of tests without a policyName, and a placeholder in a library.
	"binding-without-policy": 21,
	// request.operation == 'CONNECT' for pods/exec, to which there is no other operation.
	"condition-always-true": 1,
	// A rule that lists CONNECT for configmaps.
	"connect-without-subresource": 1,
	// Webhooks under Fail for Pods or for everything, without a namespaceSelector.
	"fail-covers-kube-system": 4,
	// object.metadata.labels['color'] without has().
	"missing-field": 3,
	// The same expression under a rule that has DELETE.
	"null-object": 1,
	// configmaps in API group apps; a rule with an empty list; pods/exec and pods/log under
	// CREATE and UPDATE.
	"rule-never-matches": 3,
	// A rule for all operations on *.
	"star-misses-subresources": 1,
}

// scenarios takes a file of the corpus apart. Most come from one project that belongs
// together; the tests of Kyverno are many small clusters, one in each folder.
func scenarios(file, text string) []string {
	groups := map[string]string{}
	for _, document := range strings.Split(text, "\n---\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(document, "---\n"), "\n")
		folder := ""
		if filepath.Base(file) == "kyverno--kyverno.yaml" {
			folder = path.Dir(strings.TrimPrefix(first, "# from "))
		}
		groups[folder] += document + "\n---\n"
	}
	var all []string
	for _, text := range groups {
		all = append(all, text)
	}
	return all
}

// Real policies have the hazards that were read in them, and no others.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Skipf("the corpus of real policies is not here: %v", err)
	}
	got, clusters := map[string]int{}, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, cluster := range scenarios(file, string(text)) {
			clusters++
			for _, f := range findIn(t, map[string]string{"cluster.yaml": cluster}) {
				got[f.Rule]++
				t.Logf("%s %s %s/%s/%s %s: %s", f.Rule, f.Severity, f.Kind, f.Name, f.Entry, f.Field, f.Message)
			}
		}
	}
	t.Logf("%d clusters", clusters)
	if diff := cmp.Diff(judged, got); diff != "" {
		t.Errorf("findings by rule (-judged +got):\n%s", diff)
	}
}

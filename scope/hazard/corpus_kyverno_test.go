package hazard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kyvernoCorpus has Kyverno's library of policies written in CEL, and its end-to-end tests of webhooks, one in each folder.
const kyvernoCorpus = "../../../shared/corpus"

// judgedKyverno are the findings in it, every one of which was read and is right.
var judgedKyverno = map[string]int{
	// Conditions that read variables or use Kyverno's libraries, and one whose name the API server refuses.
	"kyverno-conditions-not-offloaded": 4,
	// autogen.validatingAdmissionPolicy in policies that are not extended to controllers.
	"kyverno-may-be-replaced": 6,
	// configmaps in API group apps.
	"rule-never-matches": 1,
	// What Kyverno is expected to write, of which the tests have a part: bindings without a policyName, and a rule for all
	// operations on *.
	"binding-without-policy": 2, "star-misses-subresources": 1,
}

// Real policies of Kyverno have the hazards that were read in them, and no others.
func TestKyvernoCorpus(t *testing.T) {
	library, err := os.ReadFile(filepath.Join(kyvernoCorpus, "kyverno-cel", "kyverno--policies.yaml"))
	if err != nil {
		t.Skipf("the corpus of Kyverno's policies is not here: %v", err)
	}
	clusters := []string{string(library)}
	folders, err := filepath.Glob(filepath.Join(kyvernoCorpus, "kyverno-webhooks", "*"))
	if err != nil || len(folders) == 0 {
		t.Fatal("no end-to-end tests", err)
	}
	for _, folder := range folders {
		clusters = append(clusters, policiesIn(t, folder))
	}
	got := map[string]int{}
	for _, cluster := range clusters {
		for _, f := range findIn(t, map[string]string{"cluster.yaml": cluster}) {
			got[f.Rule]++
			t.Logf("%s %s %s/%s/%s %s: %s", f.Rule, f.Severity, f.Kind, f.Name, f.Entry, f.Field, f.Message)
		}
	}
	t.Logf("%d clusters", len(clusters))
	if diff := cmp.Diff(judgedKyverno, got); diff != "" {
		t.Errorf("findings by rule (-judged +got):\n%s", diff)
	}
}

// policiesIn reads a folder, but for what the test does and the parts of webhooks that it expects.
func policiesIn(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range strings.Split(string(text), "\n---\n") {
			if !strings.Contains(file, "chainsaw-test") && !strings.Contains(document, "WebhookConfiguration") {
				all += document + "\n---\n"
			}
		}
	}
	return all
}

package compare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/seed"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

// corpus has policies that people really use, and Kyverno's own end-to-end tests, where it lies beside the project.
const corpus = "../../../../shared/corpus"

// chart is the ConfigMap of Kyverno's chart as far as it concerns webhooks.
var chart = &corev1.ConfigMap{
	ObjectMeta: metav1.ObjectMeta{Name: "kyverno", Namespace: "kyverno"},
	Data: map[string]string{
		"webhooks": `{"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]},{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kyverno"]}],"matchLabels":null}}`,
	},
}

// Every collected policy alone gives the webhooks that Kyverno's code builds for it.
func TestCorpusAlone(t *testing.T) {
	q, resources := startOracle(t)
	for _, folder := range []string{"kyverno-cel", "kyverno"} {
		t.Run(folder, func(t *testing.T) {
			var asked, withWebhook, crashes, unreadable int
			for _, p := range collected(t, folder) {
				w := world{policies: []*unstructured.Unstructured{p}, configMap: chart, resources: resources}
				differences, err := q.ask(w)
				if err != nil {
					t.Fatalf("%s %s: %v", p.GetKind(), p.GetName(), err)
				}
				asked++
				switch {
				case q.last.Unreadable != "":
					unreadable++
				case q.last.Crash != "":
					crashes++
				case len(q.last.Validating.Webhooks)+len(q.last.Mutating.Webhooks) > 0:
					withWebhook++
				}
				if len(differences) > 0 {
					t.Errorf("%s\n%s", strings.Join(differences, "\n"), w)
				}
			}
			t.Logf("%d policies, %d of them with webhooks, %d that crash the controller, %d that no API server would have", asked, withWebhook, crashes, unreadable)
		})
	}
}

// Kyverno's end-to-end tests of its webhooks give what Kyverno's code builds for their policies. The webhooks that they
// expect were written down before there were groups; those that the code does not build any more are counted.
func TestCorpusScenarios(t *testing.T) {
	q, resources := startOracle(t)
	folders, err := filepath.Glob(filepath.Join(corpus, "kyverno-webhooks", "*"))
	if err != nil || len(folders) == 0 {
		t.Skipf("%s/kyverno-webhooks is not here, so that nothing is compared", corpus)
	}
	var expected, renamed int
	for _, folder := range folders {
		policies, names := scenario(t, folder)
		w := world{policies: policies, configMap: chart, resources: resources, flags: config.Flags{
			ForceFailurePolicyIgnore: strings.HasPrefix(filepath.Base(folder), "force-failure-policy-ignore--"),
		}}
		differences, err := q.ask(w)
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		if len(differences) > 0 {
			t.Errorf("%s: %s\n%s", folder, strings.Join(differences, "\n"), w)
		}
		if q.last.Crash != "" {
			t.Errorf("%s crashes the controller: %s", folder, q.last.Crash)
			continue
		}
		built := append(validatingNames(q.last.Validating), mutatingNames(q.last.Mutating)...)
		for _, name := range names {
			expected++
			if !slices.Contains(built, name) {
				renamed++
				t.Logf("%s expects %s, and Kyverno %s", filepath.Base(folder), name, strings.Join(built, ", "))
			}
		}
	}
	t.Logf("%d scenarios expect %d webhooks, of which %d have other names now", len(folders), expected, renamed)
}

// collected reads the policies of a folder.
func collected(t *testing.T, folder string) []*unstructured.Unstructured {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Skipf("%s/%s is not here, so that nothing is compared", corpus, folder)
	}
	var all []*unstructured.Unstructured
	for _, file := range files {
		all = append(all, policiesIn(t, file)...)
	}
	return all
}

// policiesIn reads the policies of a file that webhooks are written for. One that is namespaced and says no namespace is in
// the default one, as with kubectl.
func policiesIn(t *testing.T, file string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := seed.Documents(text)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var all []*unstructured.Unstructured
	for _, o := range documents {
		group := o.GroupVersionKind().Group
		if group != "kyverno.io" && group != "policies.kyverno.io" || strings.Contains(o.GetKind(), "DeletingPolicy") || !strings.HasSuffix(o.GetKind(), "Policy") {
			continue
		}
		switch namespaced := strings.HasPrefix(o.GetKind(), "Namespaced") || o.GetKind() == "Policy"; {
		case !namespaced:
			o.SetNamespace("") // Some say one nevertheless.
		case o.GetNamespace() == "":
			o.SetNamespace("default")
		}
		all = append(all, o)
	}
	return all
}

// scenario reads the policies of an end-to-end test, and the names of the webhooks that it expects. A file that checks a
// status has the policy a second time.
func scenario(t *testing.T, folder string) (policies []*unstructured.Unstructured, names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		base := filepath.Base(file)
		if base == "chainsaw-test.yaml" {
			continue
		}
		for _, p := range policiesIn(t, file) {
			if p.Object["spec"] != nil {
				policies = append(policies, p)
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents, err := seed.Documents(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, o := range documents {
			if !strings.HasPrefix(o.GetName(), "kyverno-resource-") {
				continue
			}
			webhooks, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
			for _, w := range webhooks {
				if name, ok := w.(map[string]any)["name"].(string); ok {
					names = append(names, name)
				}
			}
		}
	}
	return policies, names
}

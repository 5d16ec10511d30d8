package hazard_test

import (
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/hazard"
)

// ends are the rules whose finding about a policy means that no request whatever is included
// in it.
var ends = map[string]bool{
	"policy-without-binding": true, "binding-without-policy": true, "exclude-takes-all": true,
	"conditions-contradict": true, "conditions-never-pass": true,
}

// The cases are public reports with known answers. Where a case says that a request is
// included in a policy, no finding may say that none ever is; where it says that an error
// decides, the reason is often a hazard, and then it has to be found.
func TestCasesAgree(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.txtar")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	included := 0
	for _, file := range files {
		parts := read(t, file)
		var want []struct{ Kind, Name, Entry, Outcome string }
		if err := yaml.Unmarshal([]byte(parts["want.yaml"]), &want); err != nil {
			t.Fatal(err)
		}
		findings := findIn(t, parts)
		for _, w := range want {
			if w.Outcome != "included" {
				continue
			}
			included++
			for _, f := range findings {
				if f.Kind == w.Kind && f.Name == w.Name && (f.Entry == "" || f.Entry == w.Entry) && ends[f.Rule] {
					t.Errorf("%s: %s says that nothing is included in %s, and a request is", filepath.Base(file), f.Rule, w.Name)
				}
			}
		}
	}
	if included < 30 {
		t.Errorf("only %d requests are included", included)
	}
}

// Reports that are about a hazard are found as that hazard.
func TestCasesAreFound(t *testing.T) {
	for name, rule := range map[string]string{
		"c03-a-exec-object-selector":                  "object-selector-blind",
		"c04-a-star-has-no-subresources":              "star-misses-subresources",
		"c07-b-self-excluding-later-update":           "object-label-exclusion",
		"c10-notin-without-automatic-label":           "not-in-absent-key",
		"c15-b-object-null-on-delete":                 "null-object",
		"c16-b-true-then-error-fail":                  "missing-field",
		"c45-a-namespaced-policy-on-cluster-kind":     "scope-never-matches",
		"c45-b-same-with-scope-any":                   "selector-cannot-narrow",
		"c46-a-scope-namespaced-namespaces":           "scope-never-matches",
		"c52-a-namespace-object-in-webhook-condition": "namespace-object-in-condition",
		"c55-name-used-as-label-value":                "namespace-name-as-label",
		"e06-opt-out-label-added-in-update":           "object-label-exclusion",
		"e07-attach-with-negative-selector":           "object-selector-blind",
		"e08-scale-with-negative-selector":            "object-selector-blind",
		"e14-core-is-not-a-group-name":                "rule-never-matches",
		"e36-delete-collection-has-no-name":           "names-miss-collections",
		"e38-request-name-absent":                     "empty-request-field",
		"e39-exclude-by-name":                         "names-miss-collections",
		"e42-budget-overrun-beats-false":              "conditions-over-budget",
		"e44-request-namespace-absent":                "absent-request-field",
		"e55-param-selector-finds-nothing-allow":      "params-missing",
		"e57-namespaced-param-cluster-request":        "params-out-of-scope",
		"e59-cluster-param-with-namespace":            "params-out-of-scope",
	} {
		parts := read(t, filepath.Join("../testdata/cases", name+".txtar"))
		if !has(findIn(t, parts), rule) {
			t.Errorf("%s: no finding of %s", name, rule)
		}
	}
}

func has(findings []hazard.Finding, rule string) bool {
	for _, f := range findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

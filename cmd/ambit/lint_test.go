package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ambit-k8s/ambit/cluster"
)

// runLint calls the command and returns what main would exit with.
func runLint(args []string, stdin []byte) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	cmd := newLint(&source{})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetIn(bytes.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	err := cmd.ExecuteContext(context.Background())
	if err != nil {
		fmt.Fprintln(&errs, "ambit: "+err.Error())
	}
	code = status(err)
	if errors.As(err, &foundError{}) {
		code = statusFound
	}
	return out.String(), errs.String(), code
}

// Each fixture is a command line with its files, and what comes of it.
func TestLintCommandLines(t *testing.T) {
	for _, file := range archives(t, "testdata/lint/*.txtar") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			parts := unpack(t, file)
			stdout, stderr, code := runLint(strings.Fields(parts["args"]), []byte(parts["stdin"]))
			// That no FlowSchema is among the manifests is nothing that lint looks at.
			got := map[string]string{"stdout": stdout, "stderr": withoutNotes(stderr), "status": fmt.Sprintln(code)}
			for name, got := range got {
				if diff := cmp.Diff(parts[name], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// withoutNotes drops what is said of the facts as a whole.
func withoutNotes(stderr string) string {
	var kept strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "note: ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

const lintInput = `apiVersion: v1
kind: List
items:
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata:
      name: guard
    webhooks:
      - name: a|b.example.com
        rules:
          - apiGroups: [""]
            apiVersions: [v1]
            operations: [CREATE]
            resources: [pods, pods/log]
        objectSelector:
          matchExpressions:
            - {key: skip, operator: DoesNotExist}
      - name: fine.example.com
        rules: []
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicy
    metadata: {name: services}
    spec:
      matchConstraints:
        resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [services]}]
      validations: [{expression: "object.metadata.name != 'a'"}]
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicyBinding
    metadata: {name: nowhere}
    spec:
      policyName: services
      matchResources:
        namespaceSelector: {matchExpressions: [{key: x, operator: Exists}, {key: x, operator: DoesNotExist}]}
`

// lintOf runs lint over the input in a file of its own folder.
func lintOf(t *testing.T, output string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("my policies.yaml", []byte(lintInput), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := runLint([]string{"-f", "my policies.yaml", "-o", output}, nil)
	if code != statusFound {
		t.Fatalf("status %d: %s", code, stderr)
	}
	return stdout
}

// wantedFindings are the findings in the input with their lines, counted by hand.
var wantedFindings = map[string]int{
	"object-label-exclusion": 17, "rule-never-matches": 14, "selector-matches-nothing": 33,
}

func TestLintSARIF(t *testing.T) {
	var log sarifLog
	decoder := json.NewDecoder(strings.NewReader(lintOf(t, "sarif")))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("version %s, %d runs", log.Version, len(log.Runs))
	}
	got := map[string]int{}
	for _, result := range log.Runs[0].Results {
		if rule := log.Runs[0].Tool.Driver.Rules[result.RuleIndex]; rule.ID != result.RuleID || rule.FullDescription.Text == "" {
			t.Errorf("result %s has rule %+v", result.RuleID, rule)
		}
		place := result.Locations[0].PhysicalLocation
		if place == nil || place.ArtifactLocation.URI != "my%20policies.yaml" || place.Region == nil {
			t.Fatalf("%s is at %+v", result.RuleID, place)
		}
		got[result.RuleID] = place.Region.StartLine
	}
	if diff := cmp.Diff(wantedFindings, got); diff != "" {
		t.Errorf("lines of findings (-want +got):\n%s", diff)
	}
}

func TestLintJUnit(t *testing.T) {
	var suites junitSuites
	if err := xml.Unmarshal([]byte(lintOf(t, "junit")), &suites); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, c := range suites.Suite.Cases {
		got[c.Class+" "+c.Name] = len(c.Failures)
	}
	want := map[string]int{
		"ValidatingWebhookConfiguration guard/a|b.example.com": 2, "ValidatingWebhookConfiguration guard/fine.example.com": 0,
		"ValidatingAdmissionPolicy services/nowhere": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if suites.Tests != 3 || suites.Failures != 2 {
		t.Errorf("%d tests, %d failures", suites.Tests, suites.Failures)
	}
}

func TestLintJSON(t *testing.T) {
	var document struct{ Findings []map[string]any }
	if err := json.Unmarshal([]byte(lintOf(t, "json")), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Findings) != len(wantedFindings) {
		t.Errorf("%d findings", len(document.Findings))
	}
	for _, f := range document.Findings {
		for _, field := range []string{"rule", "severity", "kind", "name", "entry", "field", "message", "fix"} {
			if _, ok := f[field].(string); !ok {
				t.Errorf("%v has no %s", f, field)
			}
		}
	}
}

func TestLintMarkdown(t *testing.T) {
	rows, text := 0, lintOf(t, "markdown")
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| severity") {
			continue
		}
		rows++
		if cells := strings.Count(line, "|") - strings.Count(line, `\|`); cells != 7 {
			t.Errorf("a row of %d cells: %s", cells-1, line)
		}
	}
	if !strings.Contains(text, "| `webhooks[0].rules[0].resources[1]` (my policies.yaml:14) |") {
		t.Errorf("the place is not as it is written:\n%s", text)
	}
	if rows != len(wantedFindings) {
		t.Errorf("%d rows", rows)
	}
}

// Every rule has its paragraph in the documentation, in the order of the registry.
func TestLintIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, r := range cluster.HazardRules() {
		i := strings.Index(string(text), "**"+r.Name+"**")
		if i < at {
			t.Errorf("%s has no paragraph, or not in its place", r.Name)
		}
		at = i
	}
}

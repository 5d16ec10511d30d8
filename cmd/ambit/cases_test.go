package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
)

// verdict is one entry of a case's want.yaml.
type verdict struct {
	Kind, Namespace, Name, Entry string
	Outcome                      scope.Outcome
	DecidedBy                    scope.LayerName
	Effect                       scope.Effect
}

// The command answers every shared case about admission, about flow control and about Kyverno
// as its author does.
func TestCasesOnTheCommandLine(t *testing.T) {
	judged, flow, kyverno := 0, 0, 0
	for _, file := range archives(t, "../../scope/testdata/cases/*.txtar") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		judged++
		switch {
		case strings.Contains(string(text), "kyverno.io"):
			kyverno++
		case strings.Contains(string(text), "kind: SubjectAccessReview"):
			flow++
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			parts := unpack(t, file)
			args := []string{"explain", "request.yaml", "-f", "cluster.yaml", "-o", "json"}
			if v := strings.TrimSpace(parts["version"]); v != "" {
				args = append(args, "--kubernetes-version", v)
			}
			stdout, stderr, code := run(args, nil)
			if code != 0 {
				t.Fatalf("status %d: %s", code, stderr)
			}
			var got scope.Document
			if err := json.Unmarshal([]byte(stdout), &got); err != nil {
				t.Fatal(err)
			}
			var want []verdict
			if err := yaml.Unmarshal([]byte(parts["want.yaml"]), &want); err != nil {
				t.Fatal(err)
			}
			for _, w := range want {
				compare(t, w, got.Policies)
			}
		})
	}
	if judged-flow-kyverno < 110 || flow < 27 || kyverno < 5 {
		t.Errorf("only %d cases are about admission, %d about flow control and %d about Kyverno", judged-flow-kyverno, flow, kyverno)
	}
}

func compare(t *testing.T, want verdict, policies []scope.PolicyDocument) {
	t.Helper()
	for _, p := range policies {
		if p.Kind != want.Kind || p.Name != want.Name || p.Entry != want.Entry || want.Namespace != "" && p.Namespace != want.Namespace {
			continue
		}
		if p.Outcome != want.Outcome || p.DecidedBy != want.DecidedBy || want.Effect != "" && p.Effect != want.Effect {
			t.Errorf("%s/%s/%s: want %s by %q (%s), got %s by %q (%s)", p.Kind, p.Name, p.Entry,
				want.Outcome, want.DecidedBy, want.Effect, p.Outcome, p.DecidedBy, p.Effect)
		}
		return
	}
	t.Errorf("%s/%s/%s is not in the answer", want.Kind, want.Name, want.Entry)
}

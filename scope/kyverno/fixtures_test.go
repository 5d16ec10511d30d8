package kyverno_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// wanted is the verdict on one policy in a fixture.
type wanted struct {
	ID        string
	Outcome   scope.Outcome
	DecidedBy scope.LayerName
	Effect    scope.Effect
	// Layers are what some layers say on their own, and Missing is a part of a fact that is missing.
	Layers  map[scope.LayerName]scope.StepOutcome
	Missing string
}

// Each fixture is a cluster, and requests with what must become of each policy. Its comment names the place upstream
// from which the verdict follows. A part "release" is another release than the newest, and "exceptions" the namespace
// from which Kyverno accepts exceptions. Exceptions expire by the clock of 2026-01-01.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d fixtures: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { fixture(t, file) })
	}
}

func fixture(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(archive.Comment), "Source: ") {
		t.Error("the comment names no source")
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	compiler := kyverno.NewCompiler(release.Default)
	if text := strings.TrimSpace(parts["release"]); text != "" {
		r, err := release.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		compiler = kyverno.NewCompiler(r)
	}
	compiler.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
	if accepted := strings.TrimSpace(parts["exceptions"]); accepted != "" {
		compiler.AcceptsExceptions = func(namespace string) scope.StepOutcome {
			if accepted == "*" || accepted == namespace {
				return scope.Match
			}
			return scope.NoMatch
		}
	}
	c := load(t, parts["cluster.yaml"])
	asked := 0
	for _, f := range archive.Files {
		name, isRequest := strings.CutSuffix(f.Name, ".request.yaml")
		if !isRequest {
			continue
		}
		asked++
		t.Run(name, func(t *testing.T) {
			traces := c.explain(t, compiler, c.ask(t, string(f.Data)))
			var want []wanted
			if err := yaml.UnmarshalStrict([]byte(parts[name+".want.yaml"]), &want); err != nil || len(want) == 0 {
				t.Fatalf("no verdict: %v", err)
			}
			for _, w := range want {
				compare(t, w, trace(t, traces, w.ID))
			}
		})
	}
	if asked == 0 {
		t.Error("nothing is asked")
	}
}

func compare(t *testing.T, w wanted, tr *scope.Trace) {
	t.Helper()
	if tr.Outcome != w.Outcome || tr.DecidedBy != w.DecidedBy || w.Effect != "" && tr.Effect != w.Effect {
		t.Errorf("%s: want %s by %q (%s), got %s by %q (%s)\n%s", w.ID, w.Outcome, w.DecidedBy, w.Effect, tr.Outcome, tr.DecidedBy, tr.Effect, words(t, tr))
	}
	steps := tr.Steps(t.Context())
	for name, outcome := range w.Layers {
		found := false
		for i, layer := range tr.Policy.Layers {
			if layer.Name() == name {
				found = true
				if steps[i].Outcome != outcome {
					t.Errorf("%s: %s says %s, want %s\n%s", w.ID, name, steps[i].Outcome, outcome, words(t, tr))
				}
			}
		}
		if !found {
			t.Errorf("%s has no layer %s", w.ID, name)
		}
	}
	facts := ""
	for _, m := range tr.Missing() {
		facts += m.Fact + "\n"
	}
	if w.Missing != "" && !strings.Contains(facts, w.Missing) || tr.Outcome == scope.Unknown && facts == "" {
		t.Errorf("%s: missing is %q, want %q", w.ID, facts, w.Missing)
	}
}

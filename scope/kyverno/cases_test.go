package kyverno_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// The cases are public reports with known answers.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]string{}
		for _, f := range archive.Files {
			parts[f.Name] = string(f.Data)
		}
		if !strings.Contains(parts["cluster.yaml"], "kyverno.io/") {
			continue
		}
		var want []struct {
			Kind, Name string
			Outcome    scope.Outcome
			DecidedBy  scope.LayerName
			Effect     scope.Effect
		}
		if err := yaml.Unmarshal([]byte(parts["want.yaml"]), &want); err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			c := load(t, parts["cluster.yaml"])
			traces := c.explain(t, kyverno.NewCompiler(release.Default), c.ask(t, parts["request.yaml"]))
			for _, w := range want {
				for _, tr := range traces {
					if tr.Policy.Kind != w.Kind || tr.Policy.Name != w.Name {
						continue
					}
					judged++
					if tr.Outcome != w.Outcome || tr.DecidedBy != w.DecidedBy || tr.Effect != w.Effect {
						t.Errorf("%s: want %s by %s (%s), got %s by %s (%s)\n%s", w.Name, w.Outcome, w.DecidedBy, w.Effect, tr.Outcome, tr.DecidedBy, tr.Effect, words(t, tr))
					}
				}
			}
		})
	}
	if judged < 6 {
		t.Errorf("only %d policies are judged", judged)
	}
}

package kyverno_test

import (
	"os"
	"path/filepath"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
)

const corpus = "../../../shared/corpus"

// stride is one in how many objects a policy meets.
const stride = 80

// helm is a ConfigMap with the filters that an installation by Helm has.
const helm = `
apiVersion: v1
kind: ConfigMap
metadata: {name: kyverno, namespace: kyverno}
data:
  excludeGroups: system:nodes
  resourceFilters: "[Event,*,*][*/*,kube-system,*][Node,*,*][ReplicaSet,*,*][ReplicaSet/*,*,*]"
  webhooks: '{"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]}]}}'
`

// TestCorpus asks each real policy, alone in a cluster, about real objects: nothing panics, whatever is not known names
// the fact, and every layer that decides has its reasons.
func TestCorpus(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("the corpus is not beside the project: real policies are not tested")
	}
	base := load(t, helm)
	base.facts.Namespaces = nil
	requests := corpusRequests(t, base)
	compilers := []*kyverno.Compiler{kyverno.NewCompiler(release.Default), kyverno.NewCompiler(release.Release{Major: 1, Minor: 18, Patch: 2})}
	policies, counts := 0, map[scope.Outcome]int{}
	for _, d := range corpusDocuments(t, "kyverno-cel") {
		gk := d.Object.GroupVersionKind().GroupKind()
		if gk.Group != api.Group || gk.Kind == string(api.ExceptionKind) {
			continue
		}
		objects := base.objects
		objects.Of = map[schema.GroupKind][]runtime.Object{gk: {d.Object}, {Kind: "ConfigMap"}: base.objects.Of[schema.GroupKind{Kind: "ConfigMap"}]}
		made := compilers[policies%len(compilers)].Policies(objects)
		if len(made) == 0 {
			continue
		}
		policies++
		set := scope.NewSet(made)
		for i := policies % stride; i < len(requests); i += stride {
			traces, err := set.Explain(t.Context(), requests[i], base.facts)
			if err != nil {
				t.Fatal(err)
			}
			for _, tr := range traces {
				counts[tr.Outcome]++
				tells(t, tr)
			}
		}
	}
	t.Logf("%d policies, %d requests: %v", policies, len(requests), counts)
	if policies < 200 || counts[scope.Included] < 200 || counts[scope.Excluded] < 1000 || counts[scope.Unknown] < 50 {
		t.Error("the corpus does not reach far enough")
	}
}

// tells checks that a trace says why.
func tells(t *testing.T, tr *scope.Trace) {
	t.Helper()
	for i, step := range tr.Steps(t.Context()) {
		reasons := tr.Reasons(t.Context(), i)
		if (step.Outcome == scope.Open) != (len(step.Missing) > 0) {
			t.Fatalf("%s: %s says %s with %v missing", tr.Policy.ID(), tr.Policy.Layers[i].Name(), step.Outcome, step.Missing)
		}
		for _, m := range step.Missing {
			if m.Fact == "" || m.Path == "" {
				t.Fatalf("%s: a missing fact has no words: %+v", tr.Policy.ID(), m)
			}
		}
		same := step.Outcome == scope.Match
		for _, r := range reasons {
			same = same || r.Outcome == step.Outcome
		}
		if !same {
			t.Fatalf("%s: %s has no reason for %s: %+v", tr.Policy.ID(), tr.Policy.Layers[i].Name(), step.Outcome, reasons)
		}
	}
	if tr.Outcome == scope.Unknown && len(tr.Missing()) == 0 {
		t.Fatalf("%s is unknown and nothing is missing", tr.Policy.ID())
	}
}

// corpusRequests creates, updates and deletes the objects, by somebody and by nobody in particular.
func corpusRequests(t *testing.T, c *cluster) []*scope.Request {
	t.Helper()
	var all []*scope.Request
	for i, d := range corpusDocuments(t, "objects") {
		ask := request.Ask{Operation: []string{"CREATE", "UPDATE", "DELETE"}[i%3]}
		if i%2 == 0 {
			ask.User = &authenticationv1.UserInfo{Username: "alice", Groups: []string{"devs", "system:authenticated"}}
		}
		if derived, _ := request.Derive([]manifest.Document{d}, ask, c.facts); derived != nil {
			all = append(all, derived.Request)
		}
	}
	return all
}

func corpusDocuments(t *testing.T, folder string) []manifest.Document {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing in %s: %v", folder, err)
	}
	var all []manifest.Document
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents, _ := manifest.Read(file, data, 0)
		all = append(all, documents...)
	}
	return all
}

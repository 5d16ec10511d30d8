package kyverno_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

const twoGroups = helm + `
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: prod}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {env: prod}}
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: all}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [secrets]}]
---
apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: {name: change}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {env: prod, kubernetes.io/metadata.name: shop}}
`

// report compiles manifests, in a cluster that has the configurations which would be predicted, after some change.
func report(t *testing.T, text string, r release.Release, change func(*kyverno.Report)) *kyverno.Report {
	t.Helper()
	c := load(t, text)
	compiler := kyverno.NewCompiler(r)
	predicted := kyverno.ReportOf(compiler.Policies(c.objects))
	change(predicted)
	put := func(kind schema.GroupKind, o runtime.Object) { c.objects.Of[kind] = []runtime.Object{o} }
	put(webhook.ValidatingKind.GroupKind, predicted.Predicted.Validating)
	put(webhook.MutatingKind.GroupKind, predicted.Predicted.Mutating)
	return kyverno.ReportOf(compiler.Policies(c.objects))
}

// written writes differences in short.
func written(all []kyverno.Difference) []string {
	lines := []string{}
	for _, d := range all {
		words := []string{string(d.Kind), d.Entry, d.Field}
		for _, p := range d.Policies {
			words = append(words, p.Name)
		}
		lines = append(lines, strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " "))
	}
	return lines
}

func TestDifferences(t *testing.T) {
	grouped, shared := release.Default, release.Release{Major: 1, Minor: 18, Patch: 2}
	for _, tt := range []struct {
		name   string
		r      release.Release
		change func(*kyverno.Report)
		want   []string
	}{
		{"as predicted", grouped, func(*kyverno.Report) {}, []string{}},
		{"defaults and the bundle are no difference", grouped, func(r *kyverno.Report) {
			webhook.DefaultValidating(r.Predicted.Validating)
			webhook.DefaultMutating(r.Predicted.Mutating)
			r.Predicted.Validating.Webhooks[0].ClientConfig.CABundle = []byte("x")
		}, []string{}},
		{"selector edited", grouped, func(r *kyverno.Report) {
			r.Predicted.Mutating.Webhooks[0].NamespaceSelector = nil
		}, []string{"changed mpol.validate.kyverno.svc-fail namespaceSelector change"}},
		{"webhook renamed", grouped, func(r *kyverno.Report) {
			r.Predicted.Mutating.Webhooks[0].Name = "mpol.validate.kyverno.svc-fail-0"
		}, []string{"missing mpol.validate.kyverno.svc-fail change", "unexpected mpol.validate.kyverno.svc-fail-0 change"}},
		{"webhook lost", grouped, func(r *kyverno.Report) {
			r.Predicted.Mutating.Webhooks = nil
		}, []string{"missing mpol.validate.kyverno.svc-fail change", "unserved change"}},
		{"any possible order is as predicted", shared, func(r *kyverno.Report) {
			r.Predicted.Validating.Webhooks[0].NamespaceSelector = r.Predicted.Orders[1].Entries[0].NamespaceSelector
		}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := report(t, twoGroups, tt.r, tt.change)
			if got := written(r.Differences); !slices.Equal(got, tt.want) {
				t.Errorf("want %q, got %q", tt.want, got)
			}
			if r.Namespace != "kyverno" || !r.ConfigKnown || !r.Observed.Any() {
				t.Errorf("namespace %q, config known %v, observed %v", r.Namespace, r.ConfigKnown, r.Observed.Any())
			}
		})
	}
}

// A cluster that is followed by Kyverno's own webhooks, or by the prediction of them, says the same.
func TestPredictedAndObservedAgree(t *testing.T) {
	c := load(t, twoGroups)
	compiler := kyverno.NewCompiler(release.Default)
	policies := compiler.Policies(c.objects)
	predicted := kyverno.ReportOf(policies).Predicted
	c.objects.Of[webhook.ValidatingKind.GroupKind] = []runtime.Object{predicted.Validating}
	c.objects.Of[webhook.MutatingKind.GroupKind] = []runtime.Object{predicted.Mutating}
	observed := compiler.Policies(c.objects)
	for _, kind := range []string{"ConfigMap", "Secret"} {
		r := c.ask(t, "apiVersion: v1\nkind: "+kind+"\nmetadata: {name: x, namespace: shop}\n")
		before, err := scope.NewSet(policies).Explain(t.Context(), r, c.facts)
		if err != nil {
			t.Fatal(err)
		}
		after, err := scope.NewSet(observed).Explain(t.Context(), r, c.facts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range before {
			if before[i].Outcome != after[i].Outcome || before[i].DecidedBy != after[i].DecidedBy {
				t.Errorf("%s %s: predicted %s by %s, observed %s by %s", kind, before[i].Policy.ID(), before[i].Outcome, before[i].DecidedBy, after[i].Outcome, after[i].DecidedBy)
			}
		}
	}
}

// What could not be read leaves open what depends on it, and no more.
func TestUnreadObjects(t *testing.T) {
	for _, tt := range []struct {
		name, unread string
		outcome      scope.Outcome
		decidedBy    scope.LayerName
		missing      string
	}{
		{"all read", "", scope.Unknown, scope.ResourceFilters, "who asks"},
		{"ConfigMap", "ConfigMap", scope.Unknown, scope.WebhookNamespaceSelector, "ConfigMaps named kyverno"},
		{"exceptions", "PolicyException", scope.Unknown, scope.ResourceFilters, "PolicyExceptions"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, twoGroups)
			if tt.unread != "" {
				for gk := range c.objects.Of {
					if gk.Kind == tt.unread {
						delete(c.objects.Of, gk)
					}
				}
				c.objects.Complete = func(gk schema.GroupKind) bool { return gk.Kind != tt.unread }
			}
			r := c.ask(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: shop}\n")
			tr := trace(t, c.explain(t, kyverno.NewCompiler(release.Default), r), "ValidatingPolicy/prod")
			facts := ""
			for _, m := range tr.Missing() {
				facts += m.Fact
			}
			if tr.Outcome != tt.outcome || tr.DecidedBy != tt.decidedBy || !strings.Contains(facts, tt.missing) {
				t.Errorf("%s by %s, missing %s\n%s", tr.Outcome, tr.DecidedBy, facts, words(t, tr))
			}
		})
	}
}

// Coverage keeps what it knows of a policy that is the same as before. A policy whose webhook changed is not.
func TestBeside(t *testing.T) {
	c := load(t, twoGroups)
	compiler := kyverno.NewCompiler(release.Default)
	find := func() map[string]any {
		all := map[string]any{}
		for _, p := range compiler.Policies(c.objects) {
			all[p.ID()] = p.Beside
		}
		return all
	}
	first, second := find(), find()
	predicted := kyverno.ReportOf(compiler.Policies(c.objects)).Predicted
	predicted.Mutating.Webhooks[0].NamespaceSelector = nil
	c.objects.Of[webhook.MutatingKind.GroupKind] = []runtime.Object{predicted.Mutating}
	edited := find()
	for id := range first {
		if first[id] != second[id] {
			t.Errorf("%s is another policy, compiled from the same objects", id)
		}
		if changed := first[id] != edited[id]; changed != (id == "MutatingPolicy/change") {
			t.Errorf("%s is another policy: %v", id, changed)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/manifest"
)

// twoTeams are two policies for the namespaces of two teams. Kyverno's own code, run on them, gives the names below.
const twoTeams = `
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: p-a}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {owner: team-a}}
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: p-b}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {owner: team-b}}
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
`

var (
	namesOfTwoTeams = []string{"vpol.validate.kyverno.svc-fail-2e1b8aa9", "vpol.validate.kyverno.svc-fail-bd7219a9"}
	pathsOfTwoTeams = map[string]string{namesOfTwoTeams[0]: "/vpol/p-b", namesOfTwoTeams[1]: "/vpol/p-a"}
)

// predicted runs webhooks over manifests.
func predicted(t *testing.T, manifests string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("cluster.yaml", []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	return run(append([]string{"webhooks", "-f", "cluster.yaml"}, args...), nil)
}

// configurationsIn decodes the two configurations as strictly as an API server with field validation.
func configurationsIn(t *testing.T, text string) (*v1.ValidatingWebhookConfiguration, *v1.MutatingWebhookConfiguration) {
	t.Helper()
	var validating *v1.ValidatingWebhookConfiguration
	var mutating *v1.MutatingWebhookConfiguration
	documents, problems := manifest.Read("the output", []byte(text), 0)
	for _, d := range documents {
		object, more := d.Typed()
		problems = append(problems, more...)
		switch object := object.(type) {
		case *v1.ValidatingWebhookConfiguration:
			validating = object
		case *v1.MutatingWebhookConfiguration:
			mutating = object
		}
	}
	if len(documents) != 2 || len(problems) > 0 || validating == nil || mutating == nil {
		t.Fatalf("%d documents, problems %v:\n%s", len(documents), problems, text)
	}
	return validating, mutating
}

// What is printed can be applied in each format, and has what the API server asks of every webhook.
func TestWebhooksCanBeApplied(t *testing.T) {
	for _, args := range [][]string{nil, {"-o", "yaml"}, {"-o", "json"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			stdout, stderr, code := predicted(t, twoTeams, args...)
			if code != 0 {
				t.Fatalf("status %d: %s", code, stderr)
			}
			if len(args) > 0 {
				var list struct {
					APIVersion, Kind string
					Items            []any
				}
				err := yaml.UnmarshalStrict([]byte(stdout), &list)
				if err != nil || list.APIVersion != "v1" || list.Kind != "List" || len(list.Items) != 2 {
					t.Fatalf("error %v: %s", err, stdout)
				}
				if args[1] == "json" && !json.Valid([]byte(stdout)) {
					t.Error("it is no JSON")
				}
			}
			validating, mutating := configurationsIn(t, stdout)
			if validating.Name != webhooks.ValidatingName || mutating.Name != webhooks.MutatingName || len(mutating.Webhooks) != 0 {
				t.Errorf("they are %s and %s", validating.Name, mutating.Name)
			}
			var names []string
			for _, w := range validating.Webhooks {
				names = append(names, w.Name)
				s := w.ClientConfig.Service
				if s == nil || s.Namespace != "kyverno" || s.Name != "kyverno-svc" || s.Path == nil || *s.Path != pathsOfTwoTeams[w.Name] {
					t.Errorf("%s is at %v", w.Name, s)
				}
				if w.SideEffects == nil || *w.SideEffects != v1.SideEffectClassNoneOnDryRun {
					t.Errorf("%s has side effects %v", w.Name, w.SideEffects)
				}
				if !slices.Equal(w.AdmissionReviewVersions, []string{"v1"}) {
					t.Errorf("%s takes %v", w.Name, w.AdmissionReviewVersions)
				}
			}
			if !slices.Equal(names, namesOfTwoTeams) {
				t.Errorf("the webhooks are %q", names)
			}
		})
	}
}

// For people there are the groups, their suffixes and their members.
func TestWebhooksText(t *testing.T) {
	stdout, stderr, code := predicted(t, twoTeams, "-o", "text")
	for _, want := range []string{
		"kyverno-resource-validating-webhook-cfg  2 entries\n  vpol.validate.kyverno.svc-fail-2e1b8aa9\n    group      Fail, suffix 2e1b8aa9 of 2e1b8aa9",
		"    namespaces owner In [team-b]\n    objects    all (no selector)\n    members    ValidatingPolicy p-b\n    rules      CREATE  configmaps  of core v1\n",
		"kyverno-resource-mutating-webhook-cfg  0 entries\n",
	} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("status %d: %s%s\nit lacks %s", code, stderr, stdout, want)
		}
	}
}

// Before 1.19 the two shared a webhook with the selectors of one of them (kyverno #15344).
func TestWebhooksBeforeGrouping(t *testing.T) {
	stdout, stderr, code := predicted(t, twoTeams, "--kyverno-version", "1.18")
	if code != 0 {
		t.Fatalf("status %d: %s", code, stderr)
	}
	validating, _ := configurationsIn(t, stdout)
	if len(validating.Webhooks) != 1 || validating.Webhooks[0].Name != "vpol.validate.kyverno.svc-fail" {
		t.Errorf("the webhooks are %+v", validating.Webhooks)
	}
	for _, want := range []string{
		"note: Under Kyverno 1.18.2 the policies of a kind share their webhooks,",
		"If the last one is ValidatingPolicy p-a: vpol.validate.kyverno.svc has namespaceSelector owner In [team-a] and objectSelector all (no selector); never called for ValidatingPolicy p-b.",
		"If the last one is ValidatingPolicy p-b: vpol.validate.kyverno.svc has namespaceSelector owner In [team-b] and objectSelector all (no selector); never called for ValidatingPolicy p-a.",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("standard error is %s\nit lacks %s", stderr, want)
		}
	}
}

// The comparison ends with 1 where the cluster has something else, as a linter does.
func TestWebhooksDiff(t *testing.T) {
	written, _, _ := predicted(t, twoTeams)
	edited := strings.Replace(written, "owner: team-a", "owner: team-c", 1)
	for _, tc := range []struct {
		name, manifests, says string
		code                  int
	}{
		{"equal", twoTeams + "---\n" + written, "as Kyverno 1.19.1 would write them", 0},
		{"edited", twoTeams + "---\n" + edited, "namespaceSelector of the webhook " + namesOfTwoTeams[1], statusFound},
		{"nothing to compare with", twoTeams, "there is nothing to compare with", statusInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if stdout, stderr, code := predicted(t, tc.manifests, "--diff"); code != tc.code || !strings.Contains(stdout+stderr, tc.says) {
				t.Errorf("status %d: %s%s", code, stdout, stderr)
			}
		})
	}
}

// Who cannot read everything gets nothing to apply: a policy that was left out would lose its webhook.
func TestWebhooksOfWhatCannotBeRead(t *testing.T) {
	broken := strings.Replace(twoTeams, "policies.kyverno.io/v1\n", "policies.kyverno.io/v7\n", 1)
	if stdout, stderr, code := predicted(t, broken); code != statusInput || stdout != "" || !strings.Contains(stderr, "not everything could be read") {
		t.Errorf("status %d: %s%s", code, stderr, stdout)
	}
	for kind, want := range map[string]bool{"ValidatingPolicy": true, "PolicyException": false} {
		about := cluster.About{Unread: []schema.GroupKind{{Group: "policies.kyverno.io", Kind: kind}}}
		if got := unread(about); got != want {
			t.Errorf("%s is missed: %t", kind, got)
		}
	}
}

// Without policies Kyverno writes configurations without webhooks.
func TestWebhooksWithoutPolicies(t *testing.T) {
	stdout, stderr, code := predicted(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
	validating, mutating := configurationsIn(t, stdout)
	if code != 0 || len(validating.Webhooks)+len(mutating.Webhooks) > 0 || !strings.Contains(stderr, "There are no policies of Kyverno.") {
		t.Errorf("status %d: %s%s", code, stderr, stdout)
	}
}

// What is asked wrongly is told in a sentence, by every command that reads a cluster.
func TestKyvernoVersion(t *testing.T) {
	for _, args := range [][]string{{"webhooks"}, {"coverage"}, {"lint"}, {"serve", "--listen", "127.0.0.1:0"}, {"explain", "cluster.yaml"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("cluster.yaml", []byte(twoTeams), 0o600); err != nil {
				t.Fatal(err)
			}
			_, stderr, code := run(append(args, "-f", "cluster.yaml", "--kyverno-version", "1.15"), nil)
			if want := "--kyverno-version: \"1.15\" is no release of Kyverno"; code != statusInput || !strings.Contains(stderr, want) {
				t.Errorf("status %d: %s", code, stderr)
			}
		})
	}
	for flag, want := range map[string]string{"-o=csv": "say yaml, json or text", "--diff -o=json": "written as text"} {
		if _, stderr, code := predicted(t, twoTeams, strings.Fields(flag)...); code != statusInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d: %s", flag, code, stderr)
		}
	}
}

// A policy in a namespace is told apart from one of the same name in another.
func TestNamespacedPolicies(t *testing.T) {
	const pair = `
apiVersion: policies.kyverno.io/v1
kind: NamespacedValidatingPolicy
metadata: {name: p, namespace: team-a}
spec: {matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}}
---
apiVersion: policies.kyverno.io/v1
kind: NamespacedValidatingPolicy
metadata: {name: p, namespace: team-b}
spec: {matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: team-a}
`
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"cluster.yaml": pair, "request.yaml": pair[strings.LastIndex(pair, "---"):]} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	explained, _, _ := run([]string{"explain", "request.yaml", "-f", "cluster.yaml"}, nil)
	for _, want := range []string{
		"  included  NamespacedValidatingPolicy team-a/p  (evaluated)\n",
		"  excluded  NamespacedValidatingPolicy team-b/p  (not called)\n    in the API server, which calls a webhook for it\n      webhook.namespaceSelector does not match, and this decides\n",
	} {
		if !strings.Contains(explained, want) {
			t.Errorf("the answer is\n%s\nit lacks %s", explained, want)
		}
	}
	covered, _, _ := run([]string{"coverage", "-f", "cluster.yaml", "-o", "csv"}, nil)
	for _, want := range []string{"kind,namespace,name,entry,", "NamespacedValidatingPolicy,team-a,p,,1,1,", "NamespacedValidatingPolicy,team-b,p,,1,0,"} {
		if !strings.Contains(covered, want) {
			t.Errorf("coverage is\n%s\nit lacks %s", covered, want)
		}
	}
}

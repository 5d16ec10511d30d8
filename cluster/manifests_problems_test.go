package cluster

import (
	"os"
	"strings"
	"testing"
)

func TestUnknownFieldsAndBrokenDocuments(t *testing.T) {
	unpack(t, guard+`
-- bad.yaml --
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: typo}
webhooks:
- name: pods.typo.example.com
  namespaceSelectors: {}
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://typo.example.com"}
---
kind: [
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata: {name: old}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: text}
webhooks: nothing
`)
	s := load(t, "policies", "bad.yaml")
	wantAll(t, "policies", ids(s),
		"MutatingWebhookConfiguration/typo/pods.typo.example.com", "ValidatingWebhookConfiguration/guard/pods.guard.example.com")
	got := problems(s)
	if len(got) != 4 {
		t.Fatalf("problems are %q", got)
	}
	for i, want := range []string{
		"bad.yaml, document 2, line ",
		"bad.yaml, document 1, line 6: MutatingWebhookConfiguration has no field webhooks[0].namespaceSelectors",
		"bad.yaml, document 3, line 13: admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration is not used: no Kubernetes since 1.26 serves it; write it as admissionregistration.k8s.io/v1.",
		"bad.yaml, document 4, line 20: webhooks of a MutatingWebhookConfiguration must be a list, not text",
	} {
		if !strings.HasPrefix(got[i], want) {
			t.Errorf("problem %d is %q, want %q", i, got[i], want)
		}
	}
}

func TestLaterDocumentWins(t *testing.T) {
	unpack(t, guard+`
-- more.jsonl --
{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"guard"},"webhooks":[{"name":"later.guard.example.com"}]}
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"default"}}
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"other"}}
`)
	s := load(t, "policies", "more.jsonl")
	wantAll(t, "policies", ids(s), "ValidatingWebhookConfiguration/guard/later.guard.example.com")
	wantAll(t, "problems", problems(s),
		"more.jsonl, document 1, line 1: ValidatingWebhookConfiguration guard is also in policies/guard.yaml, document 1, line 2; this later one is used.",
		"more.jsonl, document 3, line 3: ConfigMap default/c is also in more.jsonl, document 2, line 2; this later one is used.")
}

func TestOriginOfBindingWithoutPolicy(t *testing.T) {
	unpack(t, `
-- b.yaml --
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: lonely}
spec: {policyName: nobody, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: lonely}
spec: {policyName: nobody}
`)
	s := load(t, "b.yaml")
	wantAll(t, "policies", ids(s), "MutatingAdmissionPolicy/nobody/lonely", "ValidatingAdmissionPolicy/nobody/lonely")
	for id, want := range map[string]string{
		"MutatingAdmissionPolicy/nobody/lonely":   "b.yaml, document 2, line 6",
		"ValidatingAdmissionPolicy/nobody/lonely": "b.yaml, document 1, line 1",
	} {
		if got := originOf(s, id); got != want {
			t.Errorf("origin is %q, want %q", got, want)
		}
	}
	if s.About.Source != "b.yaml" {
		t.Errorf("source is %q", s.About.Source)
	}
}

func TestPaths(t *testing.T) {
	unpack(t, guard+`
-- policies/notes.txt --
not a manifest
-- policies/more/a.yml --
apiVersion: v1
kind: Namespace
metadata: {name: a}
-- policies/..data/guard.yaml --
how the kubelet keeps the files of a mounted ConfigMap
-- empty/README.md --
nothing
-- named.txt --
apiVersion: v1
kind: Namespace
metadata: {name: b}
`)
	for _, tc := range []struct {
		name      string
		paths     []string
		recursive bool
		source    string
		names     string
		err       string
	}{
		{name: "folder", paths: []string{"policies"}, source: "1 file in policies"},
		{name: "recursive", paths: []string{"policies"}, recursive: true, source: "2 files in policies", names: "a"},
		{name: "any extension if named", paths: []string{"named.txt"}, source: "named.txt", names: "b"},
		{name: "standard input", paths: []string{"-"}, source: "standard input", names: "stdin"},
		{name: "file twice and standard input", paths: []string{"named.txt", "named.txt", "-"}, source: "named.txt, named.txt and standard input", names: "b stdin"},
		{name: "missing", paths: []string{"policies", "nowhere"}, err: "nowhere cannot be read: no such file or directory"},
		{name: "no manifests", paths: []string{"empty"}, err: "empty holds no manifests (.yaml, .yml, .json, .jsonl); -R looks into its folders, too"},
		{name: "no manifests below", paths: []string{"empty"}, recursive: true, err: "empty and its folders hold no manifests (.yaml, .yml, .json, .jsonl)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stdin := strings.NewReader("apiVersion: v1\nkind: Namespace\nmetadata: {name: stdin}\n")
			s, err := LoadManifests(t.Context(), tc.paths, tc.recursive, stdin, Options{})
			if err != nil || tc.err != "" {
				if err == nil || err.Error() != tc.err {
					t.Errorf("error is %v, want %s", err, tc.err)
				}
				return
			}
			var names []string
			for _, ns := range s.Namespaces {
				names = append(names, ns.Name)
			}
			if got := strings.Join(names, " "); got != tc.names || s.About.Source != tc.source {
				t.Errorf("namespaces %q of %q, want %q of %q", got, s.About.Source, tc.names, tc.source)
			}
			wantAll(t, "problems", problems(s))
		})
	}
}

func TestNamedFileMustBeReadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	unpack(t, guard)
	if err := os.Chmod("policies/guard.yaml", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadManifests(t.Context(), []string{"policies/guard.yaml"}, false, nil, Options{}); err == nil {
		t.Error("there is no error")
	}
	s := load(t, "policies")
	wantAll(t, "problems", problems(s), "policies/guard.yaml: it cannot be read: permission denied.")
}

package sample

import (
	"testing"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/request"
)

// TestKyvernoWebhooks holds the webhooks of the sample to those that Kyverno would write, but for the one edit that its README
// tells of. The suffixes in their names are SHA-256 sums of the selectors, which a tool of the shell finds, too.
func TestKyvernoWebhooks(t *testing.T) {
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	report := kyverno.ReportOf(source.Snapshot().Policies.Policies())
	if report == nil {
		t.Fatal("there are no policies of Kyverno")
	}
	if report.Observed.Validating == nil || report.Observed.Mutating == nil || !report.ConfigKnown || report.Namespace != "policy-system" {
		t.Errorf("observed are %+v, the configuration is known: %t, the namespace is %q", report.Observed, report.ConfigKnown, report.Namespace)
	}
	if len(report.Differences) != 1 {
		t.Fatalf("differences are %+v", report.Differences)
	}
	d := report.Differences[0]
	if d.Kind != kyverno.Changed || d.Entry != "vpol.validate.kyverno.svc-fail-58664531" || d.Field != "namespaceSelector" {
		t.Errorf("the difference is %+v", d)
	}
}

// TestKyvernoAccidents holds the policies of Kyverno to what the README says of them.
func TestKyvernoAccidents(t *testing.T) {
	const replicaSet = `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: cart, namespace: shop-staging},
		spec: {selector: {matchLabels: {app: cart}}, template: {metadata: {labels: {app: cart}}, spec: {containers: [{name: cart, image: cart}]}}}}`
	for _, tc := range []struct {
		name, request, policy, namespace string
		outcome                          scope.Outcome
		by                               scope.LayerName
	}{
		{"silent", example(t, "daemon-set-of-an-agent"), "agent-priority", "kube-system", scope.Excluded, scope.WebhookNamespaceSelector},
		{"edited", example(t, "pod-in-production"), "memory-limits", "", scope.Excluded, scope.WebhookNamespaceSelector},
		{"filtered", replicaSet, "memory-limits", "", scope.Excluded, scope.ResourceFilters},
		{"a condition on a variable", example(t, "pod-in-production"), "image-digests", "", scope.Unknown, scope.MatchConditions},
	} {
		t.Run(tc.name, func(t *testing.T) {
			trace := traceOf(t, tc.request, tc.namespace, tc.policy)
			if trace.Outcome != tc.outcome || trace.DecidedBy != tc.by {
				t.Errorf("it is %s, decided by %q", trace.Outcome, trace.DecidedBy)
			}
		})
	}
}

// TestUnder holds that the sample can be seen as another release of Kyverno would have it.
func TestUnder(t *testing.T) {
	source, err := Under(release.Release{Major: 1, Minor: 18, Patch: 2})
	if err != nil {
		t.Fatal(err)
	}
	report := kyverno.ReportOf(source.Snapshot().Policies.Policies())
	if report == nil || report.Release.Minor != 18 || len(report.Predicted.Orders) == 0 {
		t.Errorf("the report is %+v", report)
	}
}

// example is the text of an example.
func example(t *testing.T, name string) string {
	t.Helper()
	all, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Name == name {
			return e.Text
		}
	}
	t.Fatalf("there is no example %s", name)
	return ""
}

// traceOf explains a request and returns what a policy says to it.
func traceOf(t *testing.T, text, namespace, policy string) *scope.Trace {
	t.Helper()
	source, err := Source()
	if err != nil {
		t.Fatal(err)
	}
	s := source.Snapshot()
	derived, problems := request.FromText("the request", []byte(text), 0, request.Ask{}, s.Facts)
	if derived == nil {
		t.Fatalf("it is no request: %v", problems)
	}
	traces, err := s.Policies.Explain(t.Context(), derived.Request, s.Facts)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range traces {
		if p := trace.Policy; p.Namespace == namespace && p.Name == policy {
			return trace
		}
	}
	t.Fatalf("there is no policy %s", policy)
	return nil
}

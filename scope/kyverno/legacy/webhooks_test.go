package legacy_test

import (
	"fmt"
	"strings"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// written makes policies named a, b and so on, all of a kind; each is written as its spec.
func written(t *testing.T, kind string, specs ...string) []*api.Legacy {
	t.Helper()
	namespace := ""
	if kind == string(api.LegacyPolicy) {
		namespace = ", namespace: ns"
	}
	var all []*api.Legacy
	for i, spec := range specs {
		all = append(all, policy(t, fmt.Sprintf("{apiVersion: kyverno.io/v1, kind: %s, metadata: {name: %c%s}, spec: {%s}}", kind, 'a'+i, namespace, spec)))
	}
	return all
}

// shown writes webhooks down: names, and one line for each rule.
func shown(p legacy.Prediction) string {
	var lines []string
	for _, w := range p.Webhooks {
		lines = append(lines, w.Name)
		for _, r := range w.Rules {
			words := make([]string, len(r.Operations))
			for i, o := range r.Operations {
				words[i] = string(o)
			}
			lines = append(lines, fmt.Sprintf("  %s %s/%s %s %s", strings.Join(words, ","), r.APIGroups[0], r.APIVersions[0], strings.Join(r.Resources, ","), *r.Scope))
		}
	}
	return strings.Join(lines, "\n")
}

const (
	check  = `validate: {pattern: {a: b}}`
	change = `mutate: {patchStrategicMerge: {a: b}}`
)

// one is a spec with one rule.
func one(match, action string) string {
	return "rules: [{name: r, match: " + match + ", " + action + "}]"
}

// TestWebhookRules says which rules webhooks get. The expected values follow from pkg/controllers/webhook of
// github.com/kyverno/kyverno v1.19.1: TestBuildRulesWithOperations, Test_collectResourceDescriptions, mergeWebhook
// and hasRule.
func TestWebhookRules(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  string
		specs []string
		want  string
	}{
		{"pods bring ephemeral containers", "ClusterPolicy", []string{one(`{any: [{resources: {kinds: [ConfigMap, v1/Pod], operations: [CREATE]}}]}`, check)}, `
validate.kyverno.svc-fail
  CREATE /v1 configmaps,pods,pods/ephemeralcontainers Namespaced`},
		{"rules by operations", "ClusterPolicy", []string{one(`{any: [{resources: {kinds: [ConfigMap, v1/Pod], operations: [CREATE]}}, {resources: {kinds: [v1/Pod], operations: [UPDATE]}}]}`, check)}, `
validate.kyverno.svc-fail
  CREATE /v1 configmaps Namespaced
  CREATE,UPDATE /v1 pods,pods/ephemeralcontainers Namespaced`},
		{"usual operations", "ClusterPolicy", []string{one(`{resources: {kinds: [ConfigMap]}}`, check), one(`{all: [{resources: {kinds: [Secret]}}]}`, change)}, `
validate.kyverno.svc-fail
  CONNECT,CREATE,DELETE,UPDATE /v1 configmaps Namespaced
mutate.kyverno.svc-fail
  CREATE,UPDATE /v1 secrets Namespaced`},
		{"exclude a kind", "ClusterPolicy", []string{`rules: [{name: r, match: {any: [{resources: {kinds: [ConfigMap]}}, {resources: {kinds: [Secret], operations: [UPDATE]}}]}, exclude: {any: [{resources: {kinds: [ConfigMap]}}]}, ` + check + `}]`}, `
validate.kyverno.svc-fail
  UPDATE /v1 secrets Namespaced`},
		{"exclude an operation", "ClusterPolicy", []string{`rules: [{name: r, match: {any: [{resources: {kinds: [ConfigMap]}}]}, exclude: {any: [{resources: {operations: [CONNECT, DELETE]}}]}, ` + check + `}]`}, `
validate.kyverno.svc-fail
  CREATE,UPDATE /v1 configmaps Namespaced`},
		{"exclude by more than kind and operation", "ClusterPolicy", []string{`rules: [{name: r, match: {any: [{resources: {kinds: [ConfigMap], operations: [CREATE]}}]}, exclude: {any: [{resources: {names: [x]}}, {resources: {kinds: [ConfigMap]}, clusterRoles: [admin]}]}, ` + check + `}]`}, `
validate.kyverno.svc-fail
  CREATE /v1 configmaps Namespaced`},
		{"exclude all and plain exclude", "ClusterPolicy", []string{`rules: [{name: r, match: {any: [{resources: {kinds: [ConfigMap], operations: [CREATE]}}]}, exclude: {all: [{resources: {kinds: [ConfigMap]}}]}, ` + check + `}, {name: s, match: {any: [{resources: {kinds: [Secret], operations: [CREATE]}}]}, exclude: {resources: {kinds: [Secret]}}, ` + check + `}]`}, `
validate.kyverno.svc-fail
  CREATE /v1 configmaps,secrets Namespaced`},
		{"every kind", "ClusterPolicy", []string{one(`{resources: {kinds: ["*"], operations: [CREATE]}}`, check), one(`{resources: {kinds: [Secret, Pod/exec], operations: [CREATE, UPDATE]}}`, check)}, `
validate.kyverno.svc-fail
  CREATE,UPDATE /v1 pods/exec Namespaced
  UPDATE /v1 secrets Namespaced
  CREATE */* *,pods/ephemeralcontainers *`},
		{"every kind of a Policy", "Policy", []string{one(`{resources: {kinds: ["*/*"], operations: [CREATE]}}`, check)}, `
validate.kyverno.svc-fail
  CREATE */* */* Namespaced`},
		{"subresources of every kind", "ClusterPolicy", []string{one(`{resources: {kinds: ["*/scale"], operations: [UPDATE]}}`, check), one(`{resources: {kinds: ["Deployment/scale"], operations: [UPDATE]}}`, check)}, `
validate.kyverno.svc-fail
  UPDATE */* */scale *`},
		{"derived rules", "ClusterPolicy", []string{one(`{resources: {kinds: [Pod], operations: [CREATE]}}`, check)}, `
validate.kyverno.svc-fail
  CREATE /v1 pods,pods/ephemeralcontainers,replicationcontrollers Namespaced
  CREATE apps/v1 daemonsets,deployments,replicasets,statefulsets Namespaced
  CREATE batch/v1 cronjobs,jobs Namespaced`},
		{"what is generated counts, and in both halves if there is a reason", "ClusterPolicy", []string{`rules: [{name: r, match: {any: [{resources: {kinds: [Namespace], operations: [CREATE]}}]}, generate: {kind: NetworkPolicy, name: n}}, {name: s, match: {any: [{resources: {kinds: [Secret]}}]}, ` + change + `}]`}, `
validate.kyverno.svc-fail
  CREATE /v1 namespaces *
  CREATE,DELETE,UPDATE networking.k8s.io/v1 networkpolicies Namespaced
mutate.kyverno.svc-fail
  CREATE /v1 namespaces *
  CREATE,UPDATE /v1 secrets Namespaced
  CREATE,DELETE,UPDATE networking.k8s.io/v1 networkpolicies Namespaced`},
		{"cloned kinds", "ClusterPolicy", []string{one(`{resources: {kinds: [Namespace], operations: [CREATE]}}`, `generate: {cloneList: {kinds: [v1/Secret, v1/ConfigMap], namespace: x}}`)}, `
validate.kyverno.svc-fail
  CREATE /v1 namespaces *
  CREATE,DELETE,UPDATE /v1 configmaps,secrets Namespaced`},
		{"images are verified in one half and checked in the other", "ClusterPolicy", []string{`rules: [{name: r, match: {any: [{resources: {kinds: [v1/Pod]}}]}, verifyImages: [{imageReferences: ["*"]}]}]`, `rules: [{name: r, match: {any: [{resources: {kinds: [Secret]}}]}, verifyImages: [{verifyDigest: false, required: false}]}]`}, `
validate.kyverno.svc-fail
  CONNECT,CREATE,DELETE,UPDATE /v1 pods,pods/ephemeralcontainers Namespaced
mutate.kyverno.svc-fail
  CREATE,UPDATE /v1 pods,pods/ephemeralcontainers,secrets Namespaced`},
		{"changes of other objects", "ClusterPolicy", []string{one(`{resources: {kinds: [Secret]}}`, `mutate: {targets: [{kind: Pod}], patchStrategicMerge: {a: b}}`)}, `
validate.kyverno.svc-fail
  CONNECT,CREATE,DELETE,UPDATE /v1 secrets Namespaced`},
		{"failure policies", "ClusterPolicy", []string{`failurePolicy: Ignore, ` + one(`{resources: {kinds: [Secret], operations: [CREATE]}}`, check), `failurePolicy: Fail, webhookConfiguration: {failurePolicy: Ignore}, ` + one(`{resources: {kinds: [ConfigMap], operations: [CREATE]}}`, check)}, `
validate.kyverno.svc-ignore
  CREATE /v1 configmaps,secrets Namespaced`},
		{"not in admission", "ClusterPolicy", []string{`admission: false, ` + one(`{resources: {kinds: [Secret]}}`, check)}, ``},
		{"no such kind", "ClusterPolicy", []string{one(`{resources: {kinds: [Nothing, Secrets]}}`, check)}, ``},
		{"alone", "Policy", []string{`webhookConfiguration: {matchConditions: [{name: c, expression: "true"}]}, ` + one(`{resources: {kinds: [Secret], operations: [CREATE]}}`, check), one(`{resources: {kinds: [Secret], operations: [UPDATE]}}`, check)}, `
validate.kyverno.svc-fail
  UPDATE /v1 secrets Namespaced
validate.kyverno.svc-fail-finegrained-ns-a
  CREATE /v1 secrets Namespaced`},
		{"match conditions without any", "ClusterPolicy", []string{`webhookConfiguration: {matchConditions: []}, ` + one(`{resources: {kinds: [Secret], operations: [CREATE]}}`, check)}, `
validate.kyverno.svc-fail
  CREATE /v1 secrets Namespaced`},
	} {
		got := shown(legacy.Webhooks(legacy.Input{Policies: written(t, c.kind, c.specs...), Release: release.Default, Resources: served}))
		if got != strings.TrimSpace(c.want) {
			t.Errorf("%s:\n%s", c.name, got)
		}
	}
}

// TestWebhookFields says what else webhooks have (buildResourceValidatingWebhookRules,
// buildResourceMutatingWebhookRules, newWebhookPerPolicy, webhookNameAndPath).
func TestWebhookFields(t *testing.T) {
	own := `webhookConfiguration: {timeoutSeconds: 25, matchConditions: [{name: own, expression: "true"}]}, `
	policies := written(t, "Policy", own+one(`{resources: {kinds: [Secret]}}`, check), `webhookTimeoutSeconds: 40, `+one(`{resources: {kinds: [Secret]}}`, check), one(`{resources: {kinds: [Secret]}}`, change))
	global := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	in := legacy.Input{
		Policies: policies, Release: release.Default, Resources: served,
		Config: &config.Config{NamespaceSelector: global, MatchConditions: []v1.MatchCondition{{Name: "all", Expression: "true"}}},
	}
	type fields struct {
		path, condition string
		timeout         int32
		sideEffects     v1.SideEffectClass
		policies        string
	}
	look := func() []fields {
		var all []fields
		for _, w := range legacy.Webhooks(in).Webhooks {
			if w.NamespaceSelector != in.Config.NamespaceSelector || w.ObjectSelector == nil || len(w.MatchConditions) != 1 {
				t.Errorf("%s: %+v", w.Name, w)
			}
			f := fields{path: w.Path, condition: w.MatchConditions[0].Name, timeout: w.TimeoutSeconds, sideEffects: w.SideEffects}
			for _, p := range w.Policies {
				f.policies += p.Name
			}
			all = append(all, f)
		}
		return all
	}
	want := []fields{
		{"/validate/fail", "all", 30, v1.SideEffectClassNoneOnDryRun, "b"},
		{"/validate/fail/finegrained/ns/a", "own", 25, v1.SideEffectClassNoneOnDryRun, "a"},
		{"/mutate/fail", "all", 10, v1.SideEffectClassNoneOnDryRun, "c"},
	}
	if got := look(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	in.Flags = config.Flags{ForceFailurePolicyIgnore: true, NoAdmissionReports: true, WebhookTimeout: 15}
	want = []fields{
		{"/validate/ignore", "all", 30, v1.SideEffectClassNone, "b"},
		{"/validate/ignore/finegrained/ns/a", "own", 25, v1.SideEffectClassNone, "a"},
		{"/mutate/ignore", "all", 15, v1.SideEffectClassNoneOnDryRun, "c"},
	}
	if got := look(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("with flags: %v, want %v", got, want)
	}
}

// TestUnresolved reports kinds that nothing serves, once for each policy.
func TestUnresolved(t *testing.T) {
	in := legacy.Input{Policies: written(t, "ClusterPolicy", one(`{resources: {kinds: [Secret, Nothing, "*"]}}`, check+", "+change), one(`{resources: {kinds: [Nothing]}}`, check)), Resources: served}
	for _, known := range []bool{true, false} {
		var got []string
		if !known {
			in.Resources = nil
		}
		for _, u := range legacy.Webhooks(in).Unresolved {
			got = append(got, fmt.Sprint(u.Policy.Name, " ", u.Kind, " ", u.Unknown))
		}
		want := "[a Nothing false b Nothing false]"
		if !known {
			want = "[a Nothing true a Secret true b Nothing true]"
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
}

// TestGenerated leaves out a ClusterPolicy for which Kyverno wrote a ValidatingAdmissionPolicy.
func TestGenerated(t *testing.T) {
	for kind, want := range map[string]int{"ClusterPolicy": 0, "Policy": 1} {
		policies := written(t, kind, one(`{resources: {kinds: [Secret]}}`, check))
		policies[0].Status.ValidatingAdmissionPolicy.Generated = true
		if got := len(legacy.Webhooks(legacy.Input{Policies: policies, Resources: served}).Webhooks); got != want {
			t.Errorf("%s: %d webhooks", kind, got)
		}
	}
}

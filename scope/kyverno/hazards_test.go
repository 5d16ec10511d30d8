package kyverno_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// search finds what is wrong in policies.
func search(t *testing.T, compiler *kyverno.Compiler, in hazard.Input) []string {
	t.Helper()
	in.Kinds = []hazard.Kind{compiler}
	var rules []string
	for _, f := range hazard.Find(t.Context(), in) {
		rules = append(rules, f.Rule)
	}
	slices.Sort(rules)
	return rules
}

// TestHazardOfAFlag has the one rule that no manifest leads to: --autoUpdateWebhooks=false (kyverno #7194). The rules
// for all kinds are silent about policies that no request reaches.
func TestHazardOfAFlag(t *testing.T) {
	c := load(t, twoGroups)
	compiler := kyverno.NewCompiler(release.Default)
	compiler.Flags = config.Flags{NoAutoUpdateWebhooks: true}
	got := search(t, compiler, hazard.Input{Policies: compiler.Policies(c.objects), Facts: c.facts, Complete: true})
	if want := []string{"kyverno-no-auto-update"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestHazardsAreRules holds that every kind of finding and of difference is a rule, once.
func TestHazardsAreRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range kyverno.NewCompiler(release.Default).HazardRules() {
		if seen[r.Name] {
			t.Errorf("%s is there twice", r.Name)
		}
		seen[r.Name] = true
	}
	for _, kind := range []kyverno.DifferenceKind{kyverno.Missing, kyverno.Unexpected, kyverno.Changed, kyverno.Unserved} {
		if !seen["kyverno-"+string(kind)] {
			t.Errorf("%s is no rule", kind)
		}
	}
}

// TestHazardsOfWhatIsUnread says nothing of webhooks that may be those of policies which could not be read, nor of
// selectors that a ConfigMap which could not be read may have written.
func TestHazardsOfWhatIsUnread(t *testing.T) {
	const observed = twoGroups + `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: kyverno-resource-validating-webhook-cfg}
webhooks:
- name: vpol.validate.kyverno.svc-ignore-finegrained-other
  clientConfig: {service: {namespace: kyverno, name: kyverno-svc, path: /vpol/other}}
  failurePolicy: Ignore
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [secrets]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`
	compiler := kyverno.NewCompiler(release.Default)
	for name, test := range map[string]struct {
		unread []schema.GroupKind
		want   []string
	}{
		"everything is read": {want: []string{"kyverno-unexpected", "kyverno-unserved", "kyverno-unserved"}},
		"a kind is not": {
			unread: []schema.GroupKind{{Group: api.Group, Kind: string(api.ValidatingPolicy)}},
			want:   []string{"kyverno-unserved", "kyverno-unserved"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := load(t, observed)
			in := hazard.Input{Policies: compiler.Policies(c.objects), Facts: c.facts, Complete: true, Unread: test.unread}
			if got := search(t, compiler, in); !slices.Equal(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

// TestHazardsLeaveOthersAlone has nothing to say where there is no policy of Kyverno's.
func TestHazardsLeaveOthersAlone(t *testing.T) {
	compiler := kyverno.NewCompiler(release.Default)
	other := &scope.Policy{Kind: "ValidatingWebhookConfiguration", Name: "guard", Entry: "pods"}
	in := hazard.Input{Policies: []*scope.Policy{other}, Complete: true}
	found, written := compiler.Hazards(in), compiler.WrittenFrom(other, in.Policies)
	if found != nil || compiler.HazardMatch(other) != nil || written != nil {
		t.Error("a webhook of somebody else's is taken for Kyverno's")
	}
}

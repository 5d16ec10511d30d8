package views

import (
	"slices"
	"strings"
	"testing"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// TestExcerpt cuts the place of a finding out of the policy or its binding.
func TestExcerpt(t *testing.T) {
	hook := compile(t, webhook("rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]\nobjectSelector: {matchLabels: {app.kubernetes.io/name: web}, matchExpressions: [{key: team, operator: Exists}]}"))[0]
	bound := compile(t,
		"kind: ValidatingAdmissionPolicy\nmetadata: {name: limits}\nspec: {matchConstraints: {resourceRules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]}}",
		"kind: ValidatingAdmissionPolicyBinding\nmetadata: {name: limits-all}\nspec: {policyName: limits, paramRef: {name: ours, parameterNotFoundAction: Deny}}")[0]
	for _, c := range []struct {
		policy      *scope.Policy
		field, want string
	}{
		{hook, "webhooks[0].objectSelector.matchExpressions[0]", "matchExpressions:\n- key: team\n  operator: Exists"},
		{hook, `webhooks[0].objectSelector.matchLabels["app.kubernetes.io/name"]`, "app.kubernetes.io/name: web"},
		{hook, "webhooks[0].rules[0].operations", "operations:\n- CREATE"},
		{hook, "webhooks[0].rules[7]", ""},
		{hook, "webhooks[0].namespaceSelector.matchLabels", ""},
		{hook, "", ""},
		{bound, "spec.paramRef", "paramRef:\n  name: ours\n  parameterNotFoundAction: Deny"},
		{bound, "spec.matchConstraints.resourceRules[0].resources", "resources:\n- pods"},
		{nil, "spec", ""},
	} {
		if got := excerpt(c.policy, c.field); got != c.want {
			t.Errorf("%s is\n%s\nwant\n%s", c.field, got, c.want)
		}
	}
	long := excerpt(compile(t, webhook("rules: [{operations: [CREATE], apiGroups: ["+strings.Repeat("g, ", 30)+"], apiVersions: [v1], resources: [pods]}]"))[0], "webhooks[0].rules[0].apiGroups")
	if lines := strings.Split(long, "\n"); len(lines) != maxExcerpt+1 || lines[maxExcerpt] != "…" {
		t.Errorf("a long place has %d lines", len(lines))
	}
}

// TestFindings renders what can be said of a finding, and folds what is too much.
func TestFindings(t *testing.T) {
	three := 3
	found := []hazard.Finding{{Rule: "fail-covers-system", Severity: hazard.Error, Kind: "ValidatingWebhookConfiguration", Name: "guard", Entry: "pods.example.com", Message: "It refuses.", Fix: "Leave it out.", Objects: &three, Policy: &scope.Policy{Entry: "pods.example.com"}}}
	for range 6 {
		found = append(found, hazard.Finding{Severity: hazard.Info, Kind: "ValidatingAdmissionPolicy", Name: "limits", Message: "It is so."})
	}
	all := NewFindings(found, true)
	document := rendered(t, Findings(all))
	first := document.Find(".finding").First()
	if got := text(first.Find("summary")); got != "error guard / pods.example.com It refuses. 3 objects" {
		t.Errorf("the first reads %q", got)
	}
	if got := first.Find(".more a").AttrOr("href", ""); got != "/policies/ValidatingWebhookConfiguration/guard#pods.example.com" {
		t.Errorf("it leads to %q", got)
	}
	if got := document.Find(".fold .finding").Length(); got != 2 {
		t.Errorf("%d of 7 findings are folded", got)
	}
	own := all.Of("ValidatingAdmissionPolicy", "limits")
	if got := rendered(t, Findings(own)).Find(".finding b:contains(limits)").Length(); len(own.Findings) != 6 || got != 0 {
		t.Errorf("%d findings on the policy's own page, which name it %d times", len(own.Findings), got)
	}
}

// TestFindingsAboutSeveral stand on the page of each policy that they are about, and lead to the others; one in no
// policy leads nowhere.
func TestFindingsAboutSeveral(t *testing.T) {
	all := NewFindings([]hazard.Finding{
		{
			Rule: "kyverno-shared-path", Severity: hazard.Info, Kind: "ValidatingPolicy", Name: "closed", Entry: "vpol-fail", Policy: &scope.Policy{},
			Also: []hazard.Ref{{Kind: "NamespacedValidatingPolicy", Namespace: "shop", Name: "open"}},
		},
		{Rule: "kyverno-config-ignored", Severity: hazard.Warning, Kind: "ConfigMap", Namespace: "kyverno", Name: "kyverno", Message: "It is no JSON."},
	}, true)
	document := rendered(t, Findings(all))
	if got := text(document.Find(".finding b").First()); got != "closed and 1 more / vpol-fail" {
		t.Errorf("it is about %q", got)
	}
	var links []string
	for _, a := range document.Find(".finding .more a").EachIter() {
		links = append(links, a.AttrOr("href", ""))
	}
	if want := []string{"/policies/ValidatingPolicy/closed", "/policies/NamespacedValidatingPolicy/shop%2Fopen"}; !slices.Equal(links, want) {
		t.Errorf("they lead to %q, want %q", links, want)
	}
	for _, key := range []groupKey{{"ValidatingPolicy", "closed"}, {"NamespacedValidatingPolicy", "shop/open"}} {
		if own := all.Of(key.kind, key.name).Findings; len(own) != 1 || len(own[0].Links) != 1 {
			t.Errorf("%s: %+v", key.name, own)
		}
	}
}

func TestFindingsSayThatTheyAreLookedFor(t *testing.T) {
	document := rendered(t, Findings(NewFindings(nil, false).Of("ValidatingAdmissionPolicy", "limits")))
	if got := text(document.Find("#findings-looking")); !strings.Contains(got, "still looking") {
		t.Errorf("the page says %q", got)
	}
	if got := text(rendered(t, Findings(NewFindings(nil, true))).Selection); got != "" {
		t.Errorf("no findings read %q", got)
	}
}

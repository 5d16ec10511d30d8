package views

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// namespacedPolicy is a policy on ConfigMaps, given the rest of its matchConstraints.
func namespacedPolicy(namespace, name, constraints string) string {
	return `{"apiVersion": "policies.kyverno.io/v1", "kind": "NamespacedValidatingPolicy",
	  "metadata": {"name": "` + name + `", "namespace": "` + namespace + `"}, "spec": {"matchConstraints": {` + constraints + `
	    "resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"]}]},
	  "validations": [{"expression": "true"}]}}`
}

const legacyPolicy = `{"apiVersion": "kyverno.io/v1", "kind": "ClusterPolicy", "metadata": {"name": "owner"}, "spec": {
	  "webhookConfiguration": {"failurePolicy": "Ignore"}, "rules": [{"name": "team", "match": {"any": [{"resources": {"kinds": ["Service"]}}]},
	    "validate": {"pattern": {"metadata": {"name": "?*"}}}}]}}`

// ownConfig is the ConfigMap of Kyverno, with a namespaceSelector for all webhooks.
func ownConfig(selector string) string {
	return `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kyverno", "namespace": "kyverno"},
	  "data": {"webhooks": "{\"namespaceSelector\": ` + strings.ReplaceAll(selector, `"`, `\"`) + `}"}}`
}

const notKubeSystem = `{"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]}]}`

// The rules behind the sentences are those of pkg/controllers/webhook/validating.go, resolveNamespaceSelector: a
// namespaced policy is pinned to its namespace, and the ConfigMap's selector is added to that of every webhook.
func TestKyvernoSentences(t *testing.T) {
	for _, c := range []struct {
		name, id, want string
		policies       []string
	}{
		{
			"selectors of one's own", "ValidatingPolicy/p-a", "Sees CREATE of configmaps in namespaces labelled owner=team-a; refuses on error.",
			teams,
		}, {
			"what the webhook leaves out", "ValidatingPolicy/p-a",
			"Sees CREATE of configmaps in namespaces labelled owner=team-a; its webhook leaves out kube-system; refuses on error.",
			append([]string{ownConfig(notKubeSystem)}, teams...),
		}, {
			"what the webhook asks for besides", "ValidatingPolicy/p-a",
			"Sees CREATE of configmaps in namespaces labelled owner=team-a; its webhook narrows it to requests in namespaces labelled env=prod; refuses on error.",
			append([]string{ownConfig(`{"matchLabels": {"env": "prod"}}`)}, teams...),
		}, {
			"a label that the ConfigMap replaces", "ValidatingPolicy/p-a",
			"Sees CREATE of configmaps in namespaces labelled owner=team-a; but nothing in a namespace reaches it: no labels of a namespace pass.",
			append([]string{ownConfig(`{"matchLabels": {"owner": "nobody"}}`)}, teams...),
		}, {
			"namespaced", "NamespacedValidatingPolicy/team-a/p", "Sees CREATE of configmaps in namespace team-a; refuses on error.",
			[]string{namespacedPolicy("team-a", "p", "")},
		}, {
			"namespaced, beside the ConfigMap", "NamespacedValidatingPolicy/team-a/p",
			"Sees CREATE of configmaps in namespace team-a; its webhook leaves out kube-system; refuses on error.",
			[]string{namespacedPolicy("team-a", "p", ""), ownConfig(notKubeSystem)},
		}, {
			"namespaced and silent", "NamespacedValidatingPolicy/kube-system/p",
			"Sees CREATE of configmaps in namespace kube-system; but no request reaches it: that namespace does not pass the selectors.",
			[]string{namespacedPolicy("kube-system", "p", ""), ownConfig(notKubeSystem)},
		}, {
			"namespaced, with a selector for another namespace", "NamespacedValidatingPolicy/team-a/p",
			"Sees CREATE of configmaps in team-b in namespace team-a; but no request reaches it: that namespace does not pass the selectors.",
			[]string{namespacedPolicy("team-a", "p", `"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "team-b"}},`)},
		}, {
			"not for admission", "ValidatingPolicy/p-a",
			"No request reaches it. The policy is not for admission (spec.evaluation.admission.enabled is false), so Kyverno writes no webhook for it.",
			[]string{strings.Replace(teams[0], `"spec": {`, `"spec": {"evaluation": {"admission": {"enabled": false}},`, 1)},
		}, {
			// Without API resources the kinds of a legacy policy cannot be looked up.
			"legacy, resources not known", "ClusterPolicy/owner",
			"It is not known which resources of the policy's kinds the cluster serves.", []string{legacyPolicy},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, name, _ := strings.Cut(c.id, "/")
			g := kyvernoCatalog(t, "1.19.1", c.policies).Group(kind, name)
			if g == nil {
				t.Fatalf("there is no %s", c.id)
			}
			if got := g.Entries[0].Sentence.String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A webhook of the cluster decides, whatever is predicted, and the page of the policy says that it is another.
func TestKyvernoPolicyShowsAnEdit(t *testing.T) {
	edited := kyvernoCatalog(t, "1.19.1", teams).Kyverno().Predicted.Validating.DeepCopy()
	for i := range edited.Webhooks {
		edited.Webhooks[i].NamespaceSelector.MatchExpressions = []metav1.LabelSelectorRequirement{
			{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"shop"}},
		}
	}
	c := kyvernoCatalog(t, "1.19.1", teams, edited)
	document := rendered(t, Policy(Layout{Asset: func(name string) string { return name }}, NewPolicyPage(c, c.Group("ValidatingPolicy", "p-a"))))
	if got := text(document.Find(".lede")); !strings.Contains(got, "its webhook leaves out shop") {
		t.Errorf("the lede says %q", got)
	}
	if got := text(document.Find(".served")); !strings.Contains(got, "differs") || !strings.Contains(got, "namespaceSelector is not what Kyverno would write") {
		t.Errorf("it is served by %q", got)
	}
}

// Two policies of one name in two namespaces are two rows, in the list and among the groups.
func TestKyvernoPoliciesOfOneName(t *testing.T) {
	c := kyvernoCatalog(t, "1.19.1", []string{namespacedPolicy("team-a", "limits", ""), namespacedPolicy("team-b", "limits", "")})
	document := rendered(t, Policies(Layout{Asset: func(name string) string { return name }}, NewPoliciesPage(c, Filter{Kind: "NamespacedValidatingPolicy"})))
	var rows []string
	for i := range document.Find(".policy").Nodes {
		row := document.Find(".policy").Eq(i)
		rows = append(rows, text(row.Find(".name"))+" "+row.Find(".name").AttrOr("href", ""))
	}
	want := []string{
		"team-a/limits NamespacedValidatingPolicy /policies/NamespacedValidatingPolicy/team-a%2Flimits",
		"team-b/limits NamespacedValidatingPolicy /policies/NamespacedValidatingPolicy/team-b%2Flimits",
	}
	if strings.Join(rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("the rows are %q", rows)
	}
	if got := text(document.Find(".phase h2")); got != "Kyverno, behind the validating webhooks" {
		t.Errorf("they stand below %q", got)
	}
	selected := map[string]string{}
	for _, g := range NewGroupsPage(c, nil, PopulationState{None: true}).Groups {
		selected[g.Written[0].Policies[0].Title] = g.Namespace
	}
	if selected["team-a/limits"] != "kubernetes.io/metadata.name In [team-a]" || selected["team-b/limits"] != "kubernetes.io/metadata.name In [team-b]" {
		t.Errorf("the groups are %v", selected)
	}
}

package cluster

import (
	"os"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// TestDeployedRole holds the role that Ambit gets in a cluster to what Ambit reads there: every kind that it follows,
// the usual parameters of admission policies, the question to the authorizer, and nothing else.
func TestDeployedRole(t *testing.T) {
	want := []string{"get, list, watch configmaps.", "create subjectaccessreviews.authorization.k8s.io"}
	for _, k := range watchedKinds {
		resource := k.Resource + "." + k.Group
		if k.Named != "" {
			resource += " " + k.Named
		}
		want = append(want, "get, list, watch "+resource)
	}
	got := allowed(t, "../deploy/kustomize/rbac.yaml")
	slices.Sort(want)
	slices.Sort(got)
	wantAll(t, "what the role allows", got, want...)
}

// TestDeployedPopulationRole holds the role for the population to reading, without even asking for single objects.
func TestDeployedPopulationRole(t *testing.T) {
	wantAll(t, "what the role allows", allowed(t, "../deploy/population/rbac.yaml"), "list, watch *.*")
}

// allowed lists what the roles of a manifest allow.
func allowed(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, text := range strings.Split(string(data), "\n---\n") {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal([]byte(text), &role); err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			if len(rule.NonResourceURLs) > 0 {
				t.Errorf("a rule is of another sort: %v", rule)
			}
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					all = append(all, strings.Join(slices.Concat([]string{strings.Join(rule.Verbs, ", "), resource + "." + group}, rule.ResourceNames), " "))
				}
			}
		}
	}
	return all
}

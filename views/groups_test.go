package views

import (
	"strings"
	"testing"
)

// group finds the group that a policy is in.
func group(t *testing.T, page GroupsPage, policy string) SelectorGroup {
	t.Helper()
	for _, g := range page.Groups {
		for _, w := range g.Written {
			for _, p := range w.Policies {
				if p.Title == policy {
					return g
				}
			}
		}
	}
	t.Fatalf("no group has %s", policy)
	return SelectorGroup{}
}

func TestSelectorGroups(t *testing.T) {
	c := cover(t,
		guard("everything", ""),
		guard("tenant-label", `, "namespaceSelector": {"matchLabels": {"tenant": "a"}}`),
		guard("tenant-expression", `, "namespaceSelector": {"matchExpressions": [{"key": "tenant", "operator": "In", "values": ["a"]}]}`),
		guard("tenants", `, "namespaceSelector": {"matchExpressions": [{"key": "tenant", "operator": "In", "values": ["a", "b"]}]}`),
		guard("any-tenant", `, "namespaceSelector": {"matchExpressions": [{"key": "tenant", "operator": "Exists"}]}`),
		guard("nobody", `, "namespaceSelector": {"matchExpressions": [{"key": "tenant", "operator": "Exists"}, {"key": "tenant", "operator": "DoesNotExist"}]}`),
		guard("unskipped", notSkipped),
	)
	page := NewGroupsPage(c.catalog, NewTally(c.result.Population(), c.namespaces), PopulationState{})
	if len(page.Groups) != 6 {
		t.Errorf("%d groups, want 6", len(page.Groups))
	}
	tenant := group(t, page, "tenant-label")
	if len(tenant.Written) != 2 || tenant.Policies != 2 || group(t, page, "tenant-expression").ID != tenant.ID {
		t.Errorf("the equal pair has %d policies, written in %d ways", tenant.Policies, len(tenant.Written))
	}
	// No namespace has tenant=b: only the algebra can tell the two apart. The widest is not
	// named, because another lies between.
	if len(tenant.Within) != 1 || tenant.Within[0].Href != "#"+group(t, page, "tenants").ID {
		t.Errorf("it lies within %v", tenant.Within)
	}
	if within := group(t, page, "tenants").Within; len(within) != 1 || within[0].Title != "tenant Exists" {
		t.Errorf("tenants lie within %v", within)
	}
	nobody := group(t, page, "nobody")
	if !nobody.Empty || !strings.Contains(nobody.Problem, "nothing in a namespace") || nobody.Within != nil {
		t.Errorf("the empty pair is %+v", nobody)
	}
	for policy, want := range map[string]Selected{
		"everything": {2, 7}, "tenant-label": {1, 4}, "tenants": {1, 4}, "unskipped": {2, 6}, "nobody": {0, 1},
	} {
		if got := group(t, page, policy).Selected; got != want {
			t.Errorf("%s selects %v, want %v", policy, got, want)
		}
	}
	document := rendered(t, groupsMain(page))
	if got, want := text(document.Find(".lede")), "7 policies select by 6 pairs of selectors. 1 pair is written in more than one way. 2 lie within another. 1 pair can never select anything in a namespace."; got != want {
		t.Errorf("the lede says %q, want %q", got, want)
	}
}

package views

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// TestResourceCount forms the singular of resources that every cluster has.
func TestResourceCount(t *testing.T) {
	for resource, want := range map[string]string{
		"pods": "pod", "networkpolicies": "networkpolicy", "ingresses": "ingress", "storageclasses": "storageclass", "leases": "lease",
		"endpoints": "endpoint", "priorityclasses": "priorityclass", "services": "service", "nodes": "node", "chess": "chess", "data": "data",
	} {
		if got := resourceCount(1, resource); got != "1 "+want {
			t.Errorf("%s: %s, want 1 %s", resource, got, want)
		}
	}
	if got := resourceCount(1412, "pods"); got != "1,412 pods" {
		t.Errorf("many are %s", got)
	}
}

// TestEntryNames follows the API server's reading of the resources of a rule
// (k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules): pods/* includes pods,
// and * leaves subresources out.
func TestEntryNames(t *testing.T) {
	for _, c := range []struct {
		rule, group, resource string
		names, onlySub        bool
	}{
		{"apiGroups: [''], resources: [pods]", "", "pods", true, false},
		{"apiGroups: [apps], resources: [pods]", "", "pods", false, false},
		{"apiGroups: ['*'], resources: ['*']", "apps", "deployments", true, false},
		{"apiGroups: ['*'], resources: ['*/*']", "apps", "deployments", true, false},
		{"apiGroups: [''], resources: ['pods/*']", "", "pods", true, false},
		{"apiGroups: [''], resources: [pods/exec]", "", "pods", false, true},
		{"apiGroups: [apps], resources: ['*/scale']", "apps", "deployments", false, true},
	} {
		policies := compile(t, webhook("rules: [{operations: [CREATE], apiVersions: ['*'], "+c.rule+"}]"))
		e := NewCatalog(policies, nil).Entry(policies[0])
		if got := e.names(schema.GroupResource{Group: c.group, Resource: c.resource}); got != c.names {
			t.Errorf("%s names %s: %t", c.rule, c.resource, got)
		}
		if got := e.onlySubresources(); got != c.onlySub {
			t.Errorf("%s names only subresources: %t", c.rule, got)
		}
	}
}

// TestReaches says in a sentence what came of the objects.
func TestReaches(t *testing.T) {
	policies := compile(t, webhook(podRules+"failurePolicy: Fail"))
	e := NewCatalog(policies, nil).Entry(policies[0])
	for want, c := range map[string]coverage.Counts{
		"None of the objects that exist is of a resource that its rules name.":         {},
		"Reaches all 3 objects of its resources.":                                      {Applicable: 3, Included: 3},
		"Reaches the only object of its resources.":                                    {Applicable: 1, Included: 1},
		"Of 9 objects of its resources it reaches none.":                               {Applicable: 9},
		"Of 9 objects of its resources it reaches 4.":                                  {Applicable: 9, Included: 4},
		"Of 9 objects of its resources it may reach 5.":                                {Applicable: 9, Unknown: 5},
		"Of 9 objects of its resources it reaches 4 and may reach 5 more.":             {Applicable: 9, Included: 4, Unknown: 5},
		"Of 9 objects of its resources it reaches 4; 1 fails and is refused.":          {Applicable: 9, Included: 4, Error: 1},
		"Of 1,200 objects of its resources it reaches none; 200 fail and are refused.": {Applicable: 1200, Error: 200},
	} {
		if got := reaches(e, c).String(); got != want {
			t.Errorf("%+v\ngot  %s\nwant %s", c, got, want)
		}
	}
}

// TestWidth shows what is there, however little it is.
func TestWidth(t *testing.T) {
	for _, c := range []struct {
		part, all int
		want      string
	}{{0, 10, "0"}, {1, 100000, "0.5"}, {35, 96, "36.5"}, {96, 96, "100.0"}, {0, 0, "0"}} {
		if got := width(c.part, c.all); got != c.want {
			t.Errorf("%d of %d is %s, want %s", c.part, c.all, got, c.want)
		}
	}
}

package webhooks

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
)

// refusedRule is validateRuleWithOperations.
func refusedRule(r v1.RuleWithOperations) []string {
	var why []string
	bad := func(format string, args ...any) {
		why = append(why, "the rule for "+describe(r)+" "+fmt.Sprintf(format, args...))
	}
	for _, list := range []struct {
		name  string
		items []string
	}{
		{"operations", words(r.Operations)}, {"apiGroups", r.APIGroups},
		{"apiVersions", r.APIVersions}, {"resources", r.Resources},
	} {
		if len(list.items) == 0 {
			bad("has no %s", list.name)
		}
		if list.name != "resources" && len(list.items) > 1 && slices.Contains(list.items, "*") {
			bad("has * and more in %s", list.name)
		}
		if list.name != "apiGroups" && slices.Contains(list.items, "") {
			bad("has an empty text in %s", list.name)
		}
	}
	for _, o := range r.Operations {
		if !slices.Contains([]v1.OperationType{v1.OperationAll, v1.Create, v1.Update, v1.Delete, v1.Connect}, o) {
			bad("has an unknown operation, %s", o)
		}
	}
	if r.Scope != nil && !slices.Contains([]v1.ScopeType{v1.ClusterScope, v1.NamespacedScope, v1.AllScopes}, *r.Scope) {
		bad("has an unknown scope, %q", *r.Scope)
	}
	overlaps(r.Resources, bad)
	return why
}

// overlaps finds resources that another one includes. The order counts, as it does upstream: pods/* before pods/exec.
func overlaps(resources []string, bad func(format string, args ...any)) {
	var all, plain bool
	wildSub, wildResource := map[string]bool{}, map[string]bool{}
	for _, written := range resources {
		name, sub, ok := strings.Cut(written, "/")
		if !ok {
			all, plain = all || written == "*", plain || written != "*"
			continue
		}
		if wildSub[name] || wildResource[sub] {
			bad("names %s, which a wildcard before it includes", written)
		}
		wildSub[name] = wildSub[name] || sub == "*"
		wildResource[sub] = wildResource[sub] || name == "*"
	}
	if len(resources) > 1 && slices.Contains(resources, "*/*") {
		bad("names more resources beside */*")
	}
	if all && plain {
		bad("names more resources beside *")
	}
}

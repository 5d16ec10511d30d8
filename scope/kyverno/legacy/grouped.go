package legacy

import (
	"cmp"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// place is where a resource is: rules are made per group, version and scope.
type place struct {
	group, version string
	scope          v1.ScopeType
}

// operations is a set of operations that can be compared: create, update, delete, connect.
type operations [4]bool

func (o operations) with(operation v1.OperationType) operations {
	for i, one := range allOperations {
		o[i] = o[i] || one == operation
	}
	return o
}

func (o operations) list() []v1.OperationType {
	var list []v1.OperationType
	for i, one := range allOperations {
		if o[i] {
			list = append(list, one)
		}
	}
	slices.Sort(list)
	return list
}

// rules writes the entries as rules: narrower ones are left out, resources of one place with the same operations
// share a rule, and pods bring their ephemeral containers along (buildRulesWithOperations, sortedRules).
func (all entries) rules() []v1.RuleWithOperations {
	places := map[place]map[string]operations{}
	for e := range all {
		if all.covered(e) {
			continue
		}
		at := place{e.group, e.version, e.scope}
		if places[at] == nil {
			places[at] = map[string]operations{}
		}
		resource := e.resource
		if e.subresource != "" {
			resource += "/" + e.subresource
		}
		places[at][resource] = places[at][resource].with(e.operation)
	}
	list := make([]v1.RuleWithOperations, 0, len(places))
	for at, resources := range places {
		shared := map[operations]sets.Set[string]{}
		for resource, o := range resources {
			if shared[o] == nil {
				shared[o] = sets.New[string]()
			}
			shared[o].Insert(resource)
		}
		for o, names := range shared {
			list = append(list, at.rule(names, o))
		}
	}
	slices.SortFunc(list, compareRules)
	return list
}

// rule makes one rule.
func (at place) rule(names sets.Set[string], o operations) v1.RuleWithOperations {
	core := (at.group == "" || at.group == "*") && (at.version == "v1" || at.version == "*")
	if core && (names.Has("pods") || names.Has("*")) {
		names.Insert("pods/ephemeralcontainers")
	}
	scope := at.scope
	return v1.RuleWithOperations{
		Operations: o.list(),
		Rule:       v1.Rule{APIGroups: []string{at.group}, APIVersions: []string{at.version}, Resources: sets.List(names), Scope: &scope},
	}
}

// compareRules orders rules by group, version, resources, operations and scope; of two lists the shorter is first.
func compareRules(a, b v1.RuleWithOperations) int {
	return cmp.Or(
		compareLists(a.APIGroups, b.APIGroups), compareLists(a.APIVersions, b.APIVersions), compareLists(a.Resources, b.Resources),
		compareLists(a.Operations, b.Operations), cmp.Compare(*a.Scope, *b.Scope),
	)
}

func compareLists[T cmp.Ordered](a, b []T) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
}

package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
)

// inRule takes out of a rule what it can: the rule, some of its operations, some of its
// resources.
func (s *narrowingSearch) inRule(i int) {
	one := s.kept[i]
	all := s.matchedBy(one)
	field := fmt.Sprintf("%s[%d]", s.view.own.rules.RulesField, i)
	if len(all) == 0 {
		return
	}
	if s.allIdle(one, all) {
		s.take(narrowing{field: field, what: "request that this rule matches", fix: "Remove the rule."}, all)
		s.kept[i] = v1.NamedRuleWithOperations{}
		return
	}
	s.operations(i, one, field+".operations")
	s.resources(i, one, field+".resources")
}

// operations takes operations out of a rule. Where it has * the others are listed instead.
func (s *narrowingSearch) operations(i int, one v1.NamedRuleWithOperations, field string) {
	star := slices.Contains(one.Operations, v1.OperationAll)
	subresources := slices.ContainsFunc(one.Resources, hasSubresource)
	listed := one.Operations
	if star {
		listed = everyOperationType
	}
	var left, taken []v1.OperationType
	var lost []*reached
	for k, o := range listed {
		alone := one
		alone.Operations = []v1.OperationType{o}
		sorts := s.matchedBy(alone)
		switch {
		case len(sorts) > 0 && s.allIdle(alone, sorts):
			taken, lost = append(taken, o), append(lost, sorts...)
			if !star {
				s.take(narrowing{
					field: fmt.Sprintf("%s[%d]", field, k), what: string(o) + " that this rule matches",
					fix: fmt.Sprintf("Take %s out of the operations.", o),
				}, sorts)
			}
		case !star || len(sorts) > 0 || s.run.world.mayMeanOthers(one) && (o != v1.Connect || subresources):
			left = append(left, o)
		}
	}
	if len(taken) == 0 {
		return
	}
	s.kept[i].Operations = left
	if star {
		s.take(narrowing{
			field: field, what: joined(taken, " and ") + " that this rule matches",
			fix: fmt.Sprintf("Write %s instead of *.", joined(left, ", ")),
		}, lost)
	}
}

// resources takes resources out of a rule. Of a resource that is not known nothing can be
// said by its name.
func (s *narrowingSearch) resources(i int, one v1.NamedRuleWithOperations, field string) {
	var left []string
	for k, entry := range one.Resources {
		alone := one
		alone.Resources = []string{entry}
		sorts := s.matchedBy(alone)
		if len(sorts) == 0 || !s.allIdle(alone, sorts) {
			left = append(left, entry)
			continue
		}
		s.take(narrowing{
			field: fmt.Sprintf("%s[%d]", field, k), what: fmt.Sprintf("request for %s that this rule matches", entry),
			fix: fmt.Sprintf("Take %s out of the resources.", entry),
		}, sorts)
	}
	s.kept[i].Resources = left
}

func (s *narrowingSearch) take(n narrowing, sorts []*reached) {
	s.found, s.sorts = append(s.found, n), append(s.sorts, sorts)
}

func joined(operations []v1.OperationType, by string) string {
	words := make([]string, len(operations))
	for i, o := range operations {
		words[i] = string(o)
	}
	return strings.Join(words, by)
}

// everyOperationType is what * stands for.
var everyOperationType = []v1.OperationType{v1.Create, v1.Update, v1.Delete, v1.Connect}

// operationsOf are the operations of a rule.
func operationsOf(one v1.NamedRuleWithOperations) []admission.Operation {
	var all []admission.Operation
	for _, o := range everyOperationType {
		if slices.Contains(one.Operations, o) || slices.Contains(one.Operations, v1.OperationAll) {
			all = append(all, admission.Operation(o))
		}
	}
	return all
}

package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/condition"
)

var starMissesSubresources = Rule{
	Name:    "star-misses-subresources",
	Summary: "A rule for all operations on * leaves out every subresource.",
	Why:     "The resource * stands for resources and not for their subresources. exec, attach and portforward, evictions, bindings, tokens, scale and status pass unseen.",
	Fix:     "Say */* for everything, or name the subresources that matter: pods/exec, pods/attach, pods/portforward, pods/ephemeralcontainers.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			for i, one := range p.rules.Rules {
				if slices.Contains(one.Resources, "*") && everyOperation(one) && !slices.ContainsFunc(one.Resources, hasSubresource) && !otherRuleHasSubresources(p.rules.Rules, i) {
					r.add(v, p.inBinding, Finding{Severity: Warning, Field: fmt.Sprintf("%s[%d].resources", p.rules.RulesField, i),
						Message: "The rule is for every operation, and * does not include subresources: requests to connect (exec, attach, portforward, proxy), which are all to subresources, never match."})
				}
			}
		})
	},
}

func everyOperation(one v1.NamedRuleWithOperations) bool {
	if slices.Contains(one.Operations, v1.OperationAll) {
		return true
	}
	for _, o := range []v1.OperationType{v1.Create, v1.Update, v1.Delete, v1.Connect} {
		if !slices.Contains(one.Operations, o) {
			return false
		}
	}
	return true
}

func hasSubresource(entry string) bool {
	_, sub, _ := strings.Cut(entry, "/")
	return sub != ""
}

func otherRuleHasSubresources(rules []v1.NamedRuleWithOperations, i int) bool {
	for j, other := range rules {
		if j != i && slices.ContainsFunc(other.Resources, hasSubresource) {
			return true
		}
	}
	return false
}

var connectNeverMatches = Rule{
	Name:    "connect-without-subresource",
	Summary: "A rule lists CONNECT and no subresource that one connects to.",
	Why:     "Every request to connect is to a subresource. A rule for pods or * does not match kubectl exec.",
	Fix:     "Name pods/exec, pods/attach, pods/portforward or pods/proxy, or say pods/*.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			for i, one := range p.rules.Rules {
				connect := one
				connect.Operations = []v1.OperationType{v1.Connect}
				if !slices.Contains(one.Operations, v1.Connect) || everyOperation(one) {
					// All four operations are another way to write *, which nobody means word by word.
					continue
				}
				none := !slices.ContainsFunc(one.Resources, hasSubresource)
				if none || !r.world.mayMeanOthers(one) && len(r.matchedSorts(v, only(p.rules, connect))) == 0 {
					r.add(v, p.inBinding, Finding{Severity: Warning, Field: fmt.Sprintf("%s[%d].operations", p.rules.RulesField, i),
						Message: fmt.Sprintf("CONNECT never matches %s.", strings.Join(one.Resources, ", "))})
				}
			}
		})
	},
}

var ephemeralContainersMissed = Rule{
	Name:    "ephemeral-containers-missed",
	Summary: "A policy looks at ephemeral containers and does not see the requests that add them.",
	Why:     "An ephemeral container is added by a write to pods/ephemeralcontainers and cannot be in a Pod that is created. Without that subresource nothing that kubectl debug adds is checked.",
	Fix:     "Add pods/ephemeralcontainers with the operation UPDATE to the rules.",
	find: func(r *run) {
		r.each(func(v *view) {
			if !v.inEffect() || !v.mentions("ephemeralContainers") {
				return
			}
			pods, ephemeral := false, false
			for _, s := range r.matchedSorts(v, v.own.rules) {
				if s.Group == "" && s.GroupVersionResource.Resource == "pods" {
					pods = pods || s.Subresource == ""
					ephemeral = ephemeral || s.Subresource == "ephemeralcontainers" && s.operation == admission.Update
				}
			}
			if pods && !ephemeral {
				r.add(v, false, Finding{Severity: Warning, Field: v.own.rules.RulesField, Message: "It reads ephemeralContainers, and no rule matches the requests to pods/ephemeralcontainers that add them."})
			}
		})
	},
}

// mentions reports whether an expression of an admission policy has a word in it.
func (v *view) mentions(word string) bool {
	return slices.ContainsFunc(v.expressions(), func(e expression) bool { return strings.Contains(e.text, word) })
}

// expression is a CEL expression with its place.
type expression struct{ text, field string }

// expressions are all expressions of a policy that decide or change something.
func (v *view) expressions() []expression {
	var all []expression
	add := func(text, format string, args ...any) {
		all = append(all, expression{text, fmt.Sprintf(format, args...)})
	}
	if v.conditions != nil {
		for _, c := range v.conditions.Conditions {
			add(c.Expression, "%s", c.Field)
		}
	}
	if p := v.validating; p != nil {
		for i, x := range p.Variables {
			add(x.Expression, "spec.variables[%d].expression", i)
		}
		for i, x := range p.Validations {
			add(x.Expression, "spec.validations[%d].expression", i)
		}
	}
	if p := v.mutating; p != nil {
		for i, x := range p.Variables {
			add(x.Expression, "spec.variables[%d].expression", i)
		}
		for i, x := range p.Mutations {
			if x.ApplyConfiguration != nil {
				add(x.ApplyConfiguration.Expression, "spec.mutations[%d].applyConfiguration.expression", i)
			}
			if x.JSONPatch != nil {
				add(x.JSONPatch.Expression, "spec.mutations[%d].jsonPatch.expression", i)
			}
		}
	}
	return all
}

// hasConditions reports whether there are match conditions that compile.
func (v *view) hasConditions() bool {
	return v.conditions != nil && len(v.conditions.Conditions) > 0 &&
		!slices.ContainsFunc(v.conditions.Conditions, func(c condition.Condition) bool { return c.Err != nil })
}

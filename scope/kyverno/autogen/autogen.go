// Package autogen derives what a policy for Pods says about the controllers that make Pods: by which rules it matches
// them, and what becomes of its expressions there. The rooms share it: the webhook's rules and conditions follow from
// it, and the engine evaluates each derived policy on its own.
//
// The rules are those of pkg/cel/autogen and pkg/cel/policies/{vpol,ivpol,mpol}/autogen of github.com/kyverno/kyverno.
// Expressions are rewritten as text, so that they come out as Kyverno's do, mistakes included.
package autogen

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// The names of the derived policies. Targets with the same place for the Pod's template share one.
const (
	// Defaults is for controllers with the template at spec.template.
	Defaults = "defaults"
	// CronJobs is for CronJobs, with the template at spec.jobTemplate.spec.template.
	CronJobs = "cronjobs"
	// Extract is for custom controllers: Kyverno finds the templates in the object and evaluates the policy as it is
	// written, once for each.
	Extract = "extract"
)

// Target is a resource that a policy is extended to.
type Target struct{ Group, Version, Resource, Kind string }

// Pods is the target that a policy is written for.
var Pods = Target{"", "v1", "pods", "Pod"}

// Derived is a policy that Kyverno derives.
type Derived struct {
	Name    string
	Targets []Target
	// Match has the rules for the targets; of the policy's own match it keeps the operations and the namespaceSelector.
	// It is nil for a rule without operations: Kyverno follows that nil pointer and crashes.
	Match *v1.MatchResources
	// Conditions and Variables are rewritten for the targets.
	Conditions []v1.MatchCondition
	Variables  []v1.Variable
}

// Possible reports whether a policy with this match is extended at all (pkg/cel/autogen/support.go, CanAutoGen): it has
// one rule, for pods of the core group in v1 and nothing else, and narrows it by neither names, exclusions nor labels.
func Possible(match *v1.MatchResources, r release.Release) bool {
	if match == nil || selects(match.ObjectSelector) {
		return false
	}
	if len(match.ExcludeResourceRules) > 0 || len(match.ResourceRules) != 1 {
		return false
	}
	// Until 1.19 a namespaceSelector is in the way, too.
	if !r.Grouped() && selects(match.NamespaceSelector) {
		return false
	}
	rule := match.ResourceRules[0]
	return len(rule.ResourceNames) == 0 && slices.Equal(rule.APIGroups, []string{""}) &&
		slices.Equal(rule.APIVersions, []string{"v1"}) && slices.Equal(rule.Resources, []string{"pods"})
}

// Of derives the policies of a policy, in the order of their names; none from one that is not extended. Policies of
// kinds that generate are never extended. Resources may be nil.
//
// Unsure are the names of controllers about which a running Kyverno may say something else: it looks a name without a
// group up among the API groups that it happens to know already.
func Of(p *api.Policy, r release.Release, resources *resource.Set) (derived []Derived, unsure []string) {
	rewrite := rewriterOf(p.PolicyKind(), r)
	if rewrite == nil || !Possible(p.Spec.MatchConstraints, r) {
		return nil, nil
	}
	byName := map[string][]Target{}
	for _, name := range controllers(p) {
		found, sure := resolve(name, r, resources)
		if !sure {
			unsure = append(unsure, name)
		}
		if found != nil {
			byName[found.derived] = append(byName[found.derived], found.target)
		}
	}
	match := p.Spec.MatchConstraints
	for _, name := range []string{CronJobs, Defaults, Extract} {
		targets := byName[name]
		if len(targets) == 0 {
			continue
		}
		slices.SortFunc(targets, compare)
		d := Derived{Name: name, Targets: targets}
		if operations := match.ResourceRules[0].Operations; len(operations) > 0 {
			d.Match = &v1.MatchResources{
				NamespaceSelector: match.NamespaceSelector, ResourceRules: rulesFor(targets, operations),
			}
		}
		d.Conditions, d.Variables = rewrite(name, &p.Spec)
		derived = append(derived, d)
	}
	return derived, unsure
}

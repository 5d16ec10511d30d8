package rules

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/kind"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// Annotation lists the controllers that a policy for Pods is extended to, or says all or none.
const Annotation = "pod-policies.kyverno.io/autogen-controllers"

const (
	pod     = "Pod"
	cronJob = "CronJob"
)

// controllers are the kinds that a policy is extended to if it does not say which. All others but CronJob have the
// Pod's template in the same place, and share one derived rule.
var controllers = []string{"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"}

// Of returns the rules that Kyverno evaluates for a policy: the written ones and those derived from them for pod
// controllers (pkg/autogen/v1/autogen.go, ComputeRules).
func Of(p *api.Legacy, r release.Release) []Rule {
	var written, derived []Rule
	for i, one := range p.Spec.Rules {
		written = append(written, Rule{Rule: one, Index: i})
	}
	asked := Controllers(p)
	for i := range written {
		derived = append(derived, written[i].derive(asked, r)...)
	}
	if len(derived) == 0 {
		return written
	}
	// A written rule that is named like a derived one gives way as soon as there is a derived one.
	written = slices.DeleteFunc(written, func(r Rule) bool { return isDerivedName(r.Name) })
	return append(written, derived...)
}

// Controllers returns the controllers that a policy is extended to, as its annotation lists them, sorted; none if the
// policy cannot be extended, whatever the annotation says.
func Controllers(p *api.Legacy) []string {
	if !extends(p.Spec.Rules) {
		return nil
	}
	listed, ok := p.Annotations[Annotation]
	if !ok {
		return controllers
	}
	asked := sets.List(sets.New(strings.Split(listed, ",")...))
	if slices.Equal(asked, []string{"none"}) {
		return nil
	}
	return asked
}

// extends reports whether a policy can be extended to pod controllers (CanAutoGen). One rule that cannot be is enough
// to prevent it for all of them.
func extends(all []api.Rule) bool {
	needed := false
	for i := range all {
		r := &Rule{Rule: all[i]}
		if r.Generates() || patchesJSON(r.Mutate) {
			return false
		}
		for _, d := range descriptions(r) {
			if d.Name != "" || len(d.Names) > 0 || d.Selector != nil || d.Annotations != nil || len(d.Kinds) > 1 && hasPod(d.Kinds) {
				return false
			}
			// Kinds count here only by their bare name: v1/Pod does not ask for controllers.
			needed = needed || slices.ContainsFunc(d.Kinds, func(k string) bool { return k == pod || slices.Contains(controllers, k) })
		}
	}
	return needed
}

// patchesJSON reports whether a mutation has a JSON patch, whose paths no other kind has.
func patchesJSON(mutate map[string]any) bool {
	if says(mutate["patchesJson6902"]) {
		return true
	}
	foreach, _ := mutate["foreach"].([]any)
	return slices.ContainsFunc(foreach, func(one any) bool {
		fields, _ := one.(map[string]any)
		return says(fields["patchesJson6902"])
	})
}

// descriptions are all that a rule says about objects, in its match and exclude blocks.
func descriptions(r *Rule) []*api.ResourceDescription {
	var all []*api.ResourceDescription
	for _, block := range []*api.MatchResources{&r.Match, r.Exclude} {
		if block == nil {
			continue
		}
		all = append(all, &block.Resources)
		for i := range block.Any {
			all = append(all, &block.Any[i].Resources)
		}
		for i := range block.All {
			all = append(all, &block.All[i].Resources)
		}
	}
	return all
}

// Kinds are the kinds that a block names anywhere (api/kyverno/v1, MatchResources.GetKinds).
func Kinds(block *api.MatchResources) []string {
	if block == nil {
		return nil
	}
	kinds := slices.Clone(block.Resources.Kinds)
	for _, list := range [][]api.ResourceFilter{block.All, block.Any} {
		for i := range list {
			kinds = append(kinds, list[i].Resources.Kinds...)
		}
	}
	return kinds
}

// hasPod reports whether kinds include Pod, in whatever way it is written, or one of its subresources.
func hasPod(kinds []string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool { return kind.Parse(k).Kind == pod })
}

// ReadsNamespaceLabels reports whether Kyverno reads the namespace of a request because of the rule
// (pkg/utils/engine, hasNamespaceSelector).
func ReadsNamespaceLabels(r *Rule) bool {
	overrides, _ := r.Validate["failureActionOverrides"].([]any)
	return slices.ContainsFunc(descriptions(r), func(d *api.ResourceDescription) bool { return d.NamespaceSelector != nil }) ||
		slices.ContainsFunc(overrides, func(one any) bool {
			fields, _ := one.(map[string]any)
			return fields["namespaceSelector"] != nil
		})
}

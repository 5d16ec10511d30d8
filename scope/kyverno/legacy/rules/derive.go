package rules

import (
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// groupVersions are those of pod controllers. Derived rules name them since 1.18; before, a controller of the same
// kind in any group was meant (pkg/autogen/v1/internal, ConvertKindsToGVK).
var groupVersions = map[string]string{
	"CronJob": "batch/v1", "DaemonSet": "apps/v1", "Deployment": "apps/v1", "Job": "batch/v1", "Pod": "v1", "ReplicaSet": "apps/v1",
	"ReplicationController": "v1", "StatefulSet": "apps/v1",
}

// prefix is how the names of derived rules begin.
const prefix = "autogen-"

func isDerivedName(name string) bool { return strings.HasPrefix(name, prefix) }

// derivedName is cut to the length that a rule's name may have.
func derivedName(prefix, name string) string {
	name = prefix + name
	if len(name) > 63 {
		name = name[:63]
	}
	return name
}

// derive returns the rules for the controllers that are asked for: one for all but CronJob, and one for CronJob
// (pkg/autogen/v1/rule.go, generateRuleForControllers and generateCronJobRule).
func (r *Rule) derive(asked []string, rel release.Release) []Rule {
	exclude := Kinds(r.Exclude)
	if isDerivedName(r.Name) || !hasPod(Kinds(&r.Match)) || len(exclude) > 0 && !hasPod(exclude) {
		return nil
	}
	content, ok := r.forTemplate(rel)
	if !ok {
		return nil
	}
	var all []Rule
	if kinds := templated(asked); len(kinds) > 0 {
		d := Rule{Rule: content, Index: r.Index, Controllers: kinds}
		d.Name = derivedName(prefix, r.Name)
		d.forKinds(named(kinds, rel), false)
		all = append(all, d)
	}
	// Whatever contains one of the two words asks for CronJobs.
	if slices.ContainsFunc(asked, func(c string) bool { return strings.Contains(c, cronJob) || strings.Contains(c, "all") }) {
		d := Rule{Rule: content, Index: r.Index, Controllers: []string{cronJob}}
		d.Name = derivedName(prefix+"cronjob-", r.Name)
		d.forKinds(named(d.Controllers, rel), true)
		all = append(all, d)
	}
	return all
}

// templated returns the controllers that share a derived rule, of those asked for. If none of them is known, Kyverno
// takes them for kinds all the same.
func templated(asked []string) []string {
	rest := slices.DeleteFunc(slices.Clone(asked), func(c string) bool { return c == cronJob })
	known := slices.DeleteFunc(slices.Clone(controllers), func(c string) bool { return c == cronJob })
	switch {
	case len(rest) == 0 || slices.Equal(rest, []string{""}):
		return nil
	case slices.Equal(rest, []string{"all"}):
		return known
	}
	if listed := slices.DeleteFunc(known, func(c string) bool { return !slices.Contains(rest, c) }); len(listed) > 0 {
		return listed
	}
	return rest
}

// named writes kinds as the derived rules of a release name them.
func named(kinds []string, rel release.Release) []string {
	if !rel.AtLeast(1, 18, 0) {
		return kinds
	}
	full := make([]string, len(kinds))
	for i, k := range kinds {
		if full[i] = k; groupVersions[k] != "" {
			full[i] = groupVersions[k] + "/" + k
		}
	}
	return full
}

// forKinds puts other kinds into the blocks of the rule. Within any and all these take the place of Pod, or with
// everywhere stand in every filter, also in one without kinds.
func (r *Rule) forKinds(kinds []string, everywhere bool) {
	r.Match = replaced(r.Match, kinds, everywhere, true)
	if r.Exclude != nil {
		exclude := replaced(*r.Exclude, kinds, everywhere, len(r.Exclude.Resources.Kinds) > 0)
		r.Exclude = &exclude
	}
}

func replaced(m api.MatchResources, kinds []string, everywhere, flat bool) api.MatchResources {
	filters := func(list []api.ResourceFilter) []api.ResourceFilter {
		list = slices.Clone(list)
		for i := range list {
			if everywhere || hasPod(list[i].Resources.Kinds) {
				list[i].Resources.Kinds = kinds
			}
		}
		return list
	}
	switch {
	case len(m.Any) > 0:
		m.Any = filters(m.Any)
	case len(m.All) > 0:
		m.All = filters(m.All)
	case flat:
		m.Resources.Kinds = kinds
	}
	return m
}

// forTemplate returns what a derived rule does, and false if nothing can be derived from what the rule does
// (pkg/autogen/v1/rule.go, generateRule). A derived mutation has lost the targets of the written one, and so changes
// the object of the request.
func (r *Rule) forTemplate(rel release.Release) (api.Rule, bool) {
	d := r.Rule
	for _, field := range []string{"patchStrategicMerge", "foreach"} {
		if written(r.Mutate, field) {
			d.Mutate = map[string]any{field: r.Mutate[field]}
			return d, true
		}
	}
	for _, field := range []string{"pattern", "deny", "podSecurity", "anyPattern", "foreach"} {
		if written(r.Validate, field) {
			d.Validate = map[string]any{field: r.Validate[field]}
			return d, true
		}
	}
	asserts := says(r.Validate["assert"]) && !rel.AtLeast(1, 19, 0)
	return d, asserts || says(r.Validate["cel"]) || r.VerifyImages != nil
}

// written reports whether a field of a rule's action is written. An empty list of foreach is not.
func written(action map[string]any, field string) bool {
	if field == "foreach" {
		return says(action[field])
	}
	return action[field] != nil
}

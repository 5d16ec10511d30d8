package autogen

import (
	"cmp"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

type found struct {
	target  Target
	derived string
}

// known are the controllers that Kyverno knows by name (pkg/cel/autogen/data.go). A policy that lists none is extended
// to all of them.
var known = map[string]found{
	"cronjobs":     {Target{"batch", "v1", "cronjobs", "CronJob"}, CronJobs},
	"daemonsets":   {Target{"apps", "v1", "daemonsets", "DaemonSet"}, Defaults},
	"deployments":  {Target{"apps", "v1", "deployments", "Deployment"}, Defaults},
	"jobs":         {Target{"batch", "v1", "jobs", "Job"}, Defaults},
	"replicasets":  {Target{"apps", "v1", "replicasets", "ReplicaSet"}, Defaults},
	"statefulsets": {Target{"apps", "v1", "statefulsets", "StatefulSet"}, Defaults},
}

var everyController = []string{"cronjobs", "daemonsets", "deployments", "jobs", "replicasets", "statefulsets"}

// controllers lists the names that the policy asks for, each once.
func controllers(p *api.Policy) []string {
	a := p.Spec.Autogen
	if a == nil || a.PodControllers == nil || a.PodControllers.Controllers == nil {
		return everyController
	}
	return slices.Compact(slices.Sorted(slices.Values(a.PodControllers.Controllers)))
}

// resolve looks a controller up (pkg/cel/autogen/extraction.go, ResolveConfig): by name, then, since 1.19.1, as
// resource.version.group, then as the name of a resource that the cluster serves. A name that is none of these is
// ignored.
func resolve(name string, r release.Release, resources *resource.Set) (f *found, sure bool) {
	if k, ok := known[name]; ok {
		return &k, true
	}
	if !r.AtLeast(1, 19, 1) {
		return nil, true
	}
	if parts := strings.SplitN(name, ".", 3); len(parts) == 3 && !slices.Contains(parts, "") {
		t := Target{Resource: parts[0], Version: parts[1], Group: parts[2]}
		t.Kind = kindOf(t, resources)
		return &found{t, Extract}, true
	}
	t := byName(name, resources)
	if t == nil {
		return nil, resources != nil
	}
	return &found{*t, Extract}, false
}

// kindOf is the kind of a resource; without a cluster to ask it is guessed from the name, as Kyverno does.
func kindOf(t Target, resources *resource.Set) string {
	if resources != nil {
		gvr := schema.GroupVersionResource{Group: t.Group, Version: t.Version, Resource: t.Resource}
		if r, ok := resources.Find(gvr, ""); ok {
			return r.Kind.Kind
		}
	}
	singular := strings.TrimSuffix(t.Resource, "s")
	if singular == "" {
		return ""
	}
	return strings.ToUpper(singular[:1]) + singular[1:]
}

// byName is the one resource of that name. Kyverno takes a name that several groups have for none.
func byName(name string, resources *resource.Set) *Target {
	if resources == nil {
		return nil
	}
	var only *Target
	for _, r := range resources.All() {
		if r.Resource != name || r.Subresource != "" || !r.Served {
			continue
		}
		if only != nil && only.Group != r.Group {
			return nil
		}
		if only == nil {
			only = &Target{r.Group, r.Version, name, r.Kind.Kind}
		}
	}
	return only
}

// rulesFor has one rule for each version of a group, in order, and the names in it sorted (pkg/cel/autogen/match.go,
// CreateMatchConstraints).
func rulesFor(sorted []Target, operations []v1.OperationType) []v1.NamedRuleWithOperations {
	var rules []v1.NamedRuleWithOperations
	for _, t := range sorted {
		if n := len(rules); n > 0 && rules[n-1].APIGroups[0] == t.Group && rules[n-1].APIVersions[0] == t.Version {
			last := &rules[n-1]
			if !slices.Contains(last.Resources, t.Resource) {
				last.Resources = append(last.Resources, t.Resource)
			}
			continue
		}
		rules = append(rules, v1.NamedRuleWithOperations{RuleWithOperations: v1.RuleWithOperations{
			Operations: operations,
			Rule:       v1.Rule{APIGroups: []string{t.Group}, APIVersions: []string{t.Version}, Resources: []string{t.Resource}},
		}})
	}
	return rules
}

func compare(a, b Target) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version),
		cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Kind, b.Kind))
}

func selects(s *metav1.LabelSelector) bool {
	return s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0
}

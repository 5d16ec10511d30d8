package generate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// legacySet makes up ClusterPolicies or Policies.
func (g *Generator) legacySet(kind string, namespaced bool) []*unstructured.Unstructured {
	var set []*unstructured.Unstructured
	for _, at := range g.places(namespaced) {
		set = append(set, g.legacy(kind, at))
	}
	return set
}

func (g *Generator) legacy(kind string, at place) *unstructured.Unstructured {
	spec := map[string]any{"background": false}
	// Kyverno does not take the old places of failure policy and timeout beside the new ones.
	if g.once(3) {
		spec["webhookConfiguration"] = g.legacyWebhook()
	} else {
		if fails := pick(g, []string{"", "Fail", "Ignore"}); fails != "" {
			spec["failurePolicy"] = fails
		}
		if g.once(4) {
			spec["webhookTimeoutSeconds"] = int64(1 + g.IntN(30))
		}
	}
	n := 1 + g.IntN(2)
	var rules []any
	for i := range n {
		rules = append(rules, g.legacyRule(fmt.Sprintf("r%d", i), at.namespace))
	}
	spec["rules"] = rules
	if g.once(10) {
		spec["admission"], spec["background"] = false, true
	}
	metadata := map[string]any{"name": at.name}
	if at.namespace != "" {
		metadata["namespace"] = at.namespace
	}
	if g.once(3) {
		metadata["annotations"] = map[string]any{"pod-policies.kyverno.io/autogen-controllers": pick(g, []string{"none", "Deployment,CronJob", "DaemonSet", "ReplicaSet,Job"})}
	}
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "kyverno.io/v1", "kind": kind, "metadata": metadata, "spec": spec}}
}

func (g *Generator) legacyWebhook() map[string]any {
	w := map[string]any{}
	if g.once(2) {
		w["failurePolicy"] = pick(g, []string{"Fail", "Ignore"})
	}
	if g.once(3) {
		w["timeoutSeconds"] = int64(1 + g.IntN(30))
	}
	if g.once(2) {
		w["matchConditions"] = []any{map[string]any{"name": "c", "expression": pick(g, append(plain, aboutAuthorizer))}}
	}
	return w
}

// legacyRule makes up a rule of one sort.
func (g *Generator) legacyRule(name, namespace string) map[string]any {
	rule := map[string]any{"name": name, "match": g.match(pick(g, kindLists))}
	if g.once(3) {
		rule["exclude"] = g.exclude()
	}
	switch g.IntN(7) {
	case 0, 1, 2:
		rule["validate"] = map[string]any{"message": "never", "deny": map[string]any{"conditions": map[string]any{"any": []any{
			map[string]any{"key": "a", "operator": "Equals", "value": "b"},
		}}}}
	case 3:
		rule["match"] = g.match(pick(g, mutable))
		rule["mutate"] = map[string]any{"patchStrategicMerge": map[string]any{"metadata": map[string]any{"labels": map[string]any{"+(conformance)": "yes"}}}}
	case 4:
		rule["match"] = g.match(pick(g, mutable))
		rule["mutate"] = map[string]any{
			"targets":             []any{target(namespace)},
			"patchStrategicMerge": map[string]any{"metadata": map[string]any{"labels": map[string]any{"conformance": "yes"}}},
		}
	case 5:
		rule["match"] = g.match(pick(g, mutable))
		rule["generate"] = g.generates(namespace)
	case 6:
		rule["match"] = g.match([]string{"Pod"})
		rule["verifyImages"] = []any{map[string]any{
			"imageReferences": []any{"registry.invalid/*"},
			"attestors":       []any{map[string]any{"entries": []any{map[string]any{"keys": map[string]any{"publicKeys": certificate}}}}},
			"mutateDigest":    false, "required": g.once(2), "verifyDigest": g.once(2),
		}}
	}
	return rule
}

func target(namespace string) map[string]any {
	if namespace == "" {
		namespace = "team-a"
	}
	return map[string]any{"apiVersion": "v1", "kind": "Service", "name": "made", "namespace": namespace}
}

// generates makes up what a rule generates: an object, or clones of several kinds.
func (g *Generator) generates(namespace string) map[string]any {
	if namespace == "" {
		namespace = "team-a"
	}
	if g.once(2) {
		return map[string]any{"apiVersion": "v1", "kind": "LimitRange", "name": "made", "namespace": namespace, "synchronize": g.once(2),
			"data": map[string]any{"spec": map[string]any{"limits": []any{}}}}
	}
	return map[string]any{"namespace": namespace, "synchronize": g.once(2), "cloneList": map[string]any{
		"namespace": namespace, "kinds": []any{"v1/Service", "v1/LimitRange"}, "selector": map[string]any{"matchLabels": map[string]any{"clone": "me"}},
	}}
}

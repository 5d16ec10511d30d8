package generate

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// set makes up policies of one kind. Alone is for a kind whose shared webhooks would have the names of others.
func (g *Generator) set(kind string, namespaced, alone bool) []*unstructured.Unstructured {
	s := &scopes{g: g, known: map[string]bool{}}
	s.none = g.wild || strings.Contains(kind, "Image")
	// With few ways to differ there are groups of several, with many there are many groups.
	selective := g.once(2)
	var set []*unstructured.Unstructured
	for _, at := range g.places(namespaced) {
		set = append(set, g.policy(kind, at, s, selective, alone))
	}
	return set
}

func (g *Generator) policy(kind string, at place, s *scopes, selective, alone bool) *unstructured.Unstructured {
	constraints := map[string]any{"resourceRules": s.rules()}
	if selective && g.once(2) || g.once(6) {
		constraints["namespaceSelector"] = pick(g, namespaceSelectors)
	}
	if selective && g.once(3) || g.once(6) {
		constraints["objectSelector"] = pick(g, objectSelectors)
	}
	if g.once(8) {
		constraints["excludeResourceRules"] = []any{s.rule(pick(g, otherRules))}
	}
	switch g.IntN(9) {
	case 0:
		constraints["matchPolicy"] = "Exact"
	case 1:
		constraints["matchPolicy"] = "Equivalent"
	}
	spec := map[string]any{"matchConstraints": constraints}
	if conditions := g.conditions(kind); conditions != nil {
		spec["matchConditions"] = conditions
	}
	if fails := pick(g, []string{"", "Fail", "Ignore"}); fails != "" && !isGenerating(kind) {
		spec["failurePolicy"] = fails
	}
	if alone || g.once(8) {
		spec["webhookConfiguration"] = map[string]any{"timeoutSeconds": int64(1 + g.IntN(30))}
	}
	if evaluation := g.evaluation(kind); len(evaluation) > 0 {
		spec["evaluation"] = evaluation
	}
	if g.once(3) && !isGenerating(kind) {
		spec["autogen"] = map[string]any{"podControllers": map[string]any{"controllers": texts(pick(g, controllers))}}
	}
	does(kind, spec, g)
	metadata := map[string]any{"name": at.name}
	if at.namespace != "" {
		metadata["namespace"] = at.namespace
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policies.kyverno.io/" + g.version(at.namespace != ""), "kind": kind, "metadata": metadata, "spec": spec,
	}}
}

// controllers are lists of pod controllers: none, some, custom ones in both ways of writing, and nonsense.
var controllers = [][]string{
	{}, {"deployments"}, {"cronjobs", "jobs"}, {"statefulsets", "daemonsets", "cronjobs"},
	{"deployments", "jobsets.v1alpha2.jobset.x-k8s.io"}, {"replicationcontrollers"}, {"nonsense"},
	{"deployments.v1.apps", "cronjobs.v1.batch"}, {"pods.v1.", "jobs.v1", "a.b.c.d"},
}

// version is one in which the kind is served.
func (g *Generator) version(namespaced bool) string {
	if namespaced {
		return pick(g, []string{"v1beta1", "v1"})
	}
	return pick(g, []string{"v1alpha1", "v1beta1", "v1"})
}

// evaluation says where and when a policy is evaluated.
func (g *Generator) evaluation(kind string) map[string]any {
	e := map[string]any{}
	if g.wild && g.once(8) {
		e["mode"] = "JSON"
	}
	if !isGenerating(kind) {
		// Otherwise Kyverno asks for each resource whether it may be read, before it says that there is a webhook.
		e["background"] = map[string]any{"enabled": false}
	}
	if g.once(10) {
		delete(e, "background")
		e["admission"] = map[string]any{"enabled": g.once(4)}
		if strings.Contains(kind, "Mutating") {
			e["mutateExisting"] = map[string]any{"enabled": true} // Kyverno wants something to be left of it.
		}
	}
	if isGenerating(kind) && g.once(2) {
		e["synchronize"] = map[string]any{"enabled": g.once(2)}
	}
	return e
}

func isGenerating(kind string) bool {
	return kind == "GeneratingPolicy" || kind == "NamespacedGeneratingPolicy"
}

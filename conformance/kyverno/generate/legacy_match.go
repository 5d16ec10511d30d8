package generate

// kindLists are kinds in all ways that Kyverno reads: with groups, versions, subresources and wildcards, and such that no
// cluster has.
var kindLists = [][]string{
	{"Pod"}, {"Pod"}, {"Pod"}, {"Pod", "Deployment"}, {"v1/Pod"}, {"Pod/exec"}, {"Pod/ephemeralcontainers"}, {"Pod.status"},
	{"Deployment", "StatefulSet"}, {"apps/v1/Deployment"}, {"apps/*/DaemonSet"}, {"*/Deployment"}, {"Deployment/scale"}, {"Deploy*"},
	{"Service"}, {"Service", "Ingress"}, {"networking.k8s.io/v1/*"}, {"batch/*/*Job"}, {"CronJob"}, {"Scale"}, {"*/scale"},
	{"LimitRange"}, {"Role?inding"}, {"events.k8s.io/v1/Event"}, {"Event"}, {"StorageClass"}, {"PriorityClass", "Service"},
}

// mutable are kinds that rules other than validating ones take.
var mutable = [][]string{{"Pod"}, {"Deployment"}, {"Service", "StatefulSet"}, {"apps/v1/DaemonSet"}, {"batch/v1/Job"}}

// match makes up a match block: any, all, or the block itself.
func (g *Generator) match(kinds []string) map[string]any {
	switch g.IntN(4) {
	case 0:
		return map[string]any{"all": []any{g.filter(kinds)}}
	case 1:
		return g.filter(kinds)
	}
	filters := []any{g.filter(kinds)}
	if g.once(3) {
		filters = append(filters, g.filter(kinds))
	}
	return map[string]any{"any": filters}
}

func (g *Generator) filter(kinds []string) map[string]any {
	resources := map[string]any{"kinds": texts(kinds)}
	if g.once(3) {
		resources["operations"] = texts(pick(g, [][]string{{"CREATE"}, {"UPDATE", "CREATE"}, {"DELETE"}, {"CREATE", "UPDATE", "CONNECT"}}))
	}
	switch g.IntN(10) {
	case 0:
		resources["names"] = []any{"x-*"}
	case 1:
		resources["selector"] = pick(g, objectSelectors[1:])
	case 2:
		resources["annotations"] = map[string]any{"a": "b"}
	}
	return map[string]any{"resources": resources}
}

// exclude makes up an exclude block; only some take operations away from a webhook.
func (g *Generator) exclude() map[string]any {
	block := pick(g, []map[string]any{
		{"resources": map[string]any{"operations": []any{"DELETE"}}},
		{"resources": map[string]any{"kinds": []any{"Pod"}, "operations": []any{"UPDATE"}}},
		{"resources": map[string]any{"kinds": []any{"Deployment"}}},
		{"resources": map[string]any{"names": []any{"skip-*"}, "operations": []any{"CREATE"}}},
		{"subjects": []any{map[string]any{"kind": "User", "name": "root"}}},
	})
	return map[string]any{pick(g, []string{"any", "any", "all"}): []any{block}}
}

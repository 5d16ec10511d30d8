package generate

// Selectors that mean the same are written in several ways: the groups follow from what is written.
var namespaceSelectors = []map[string]any{
	{},
	{"matchLabels": map[string]any{"env": "prod"}},
	{"matchLabels": map[string]any{"env": "prod"}},
	{"matchExpressions": []any{in("env", "prod")}},
	{"matchExpressions": []any{in("env", "prod", "test")}},
	{"matchExpressions": []any{in("env", "test", "prod")}},
	{"matchExpressions": []any{in("env", "prod"), in("tier", "1")}},
	{"matchExpressions": []any{in("tier", "1"), in("env", "prod")}},
	{"matchLabels": map[string]any{"env": "prod", "tier": "1"}},
	{"matchLabels": map[string]any{"env": "dev"}},
	{"matchLabels": map[string]any{"zone": "us"}, "matchExpressions": []any{without("legacy")}},
	{"matchLabels": map[string]any{}, "matchExpressions": []any{}},
	{"matchExpressions": []any{map[string]any{"key": "env", "operator": "Exists", "values": []any{}}}},
	{"matchExpressions": []any{map[string]any{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": []any{"kube-system"}}}},
}

var objectSelectors = []map[string]any{
	{},
	{"matchLabels": map[string]any{"app": "web"}},
	{"matchExpressions": []any{in("app", "web")}},
	{"matchLabels": map[string]any{"app": "db"}},
	{"matchLabels": map[string]any{"a": "1", "b": "2"}},
	{"matchExpressions": []any{in("a", "1"), in("b", "2")}},
	{"matchExpressions": []any{without("skip")}},
	{"matchExpressions": []any{without("skip"), without("skip")}},
}

func in(key string, values ...string) map[string]any {
	return map[string]any{"key": key, "operator": "In", "values": texts(values)}
}

func without(key string) map[string]any {
	return map[string]any{"key": key, "operator": "DoesNotExist"}
}

func texts(values []string) []any {
	all := make([]any, 0, len(values))
	for _, v := range values {
		all = append(all, v)
	}
	return all
}

package generate

// helm is the selector of the chart's defaults.
const helm = `{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kube-system"]},{"key":"kubernetes.io/metadata.name","operator":"NotIn","values":["kyverno"]}],"matchLabels":null}`

// variants are ConfigMaps by what they are.
var variants = []struct {
	name string
	data map[string]string
}{
	{"nothing", map[string]string{}},
	{"chart", map[string]string{"webhooks": `{"namespaceSelector":` + helm + `}`}},
	{"chart", map[string]string{"webhooks": `{"namespaceSelector":` + helm + `}`}},
	{"labels that overwrite", map[string]string{"webhooks": `{"namespaceSelector":{"matchLabels":{"env":"dev","zone":"eu"}}}`}},
	{"objectSelector", map[string]string{"webhooks": `{"objectSelector":{"matchLabels":{"app":"web"}}}`}},
	{"both", map[string]string{"webhooks": `{"namespaceSelector":` + helm + `,"objectSelector":{"matchExpressions":[{"key":"skip","operator":"DoesNotExist"}]}}`}},
	{"empty selectors", map[string]string{"webhooks": `{"namespaceSelector":{},"objectSelector":{}}`}},
	{"empty object", map[string]string{"webhooks": `{}`}},
	{"no JSON", map[string]string{"webhooks": `{"namespaceSelector":`}},
	{"the list of old releases", map[string]string{"webhooks": `[{"namespaceSelector":` + helm + `}]`}},
	{"match conditions", map[string]string{
		"webhooks":        `{"namespaceSelector":` + helm + `}`,
		"matchConditions": `[{"name":"no-nodes","expression":"!('system:nodes' in request.userInfo.groups)"}]`,
	}},
	{"no selector", map[string]string{"webhooks": `{"namespaceSelector":"x"}`}},
	{"null", map[string]string{"webhooks": `null`, "matchConditions": `null`}},
	{"empty text", map[string]string{"webhooks": ``, "matchConditions": ``, "webhookLabels": `{`}},
	{"other fields", map[string]string{"webhooks": `{"NamespaceSelector":{"matchlabels":{"env":"<prod>&"}},"timeoutSeconds":5}`}},
	{"half of the match conditions", map[string]string{"matchConditions": `[{"name":"a","expression":"true"},{"name":1}]`}},
	{"labels", map[string]string{"webhookLabels": `{"owner":"platform","webhook.kyverno.io/managed-by":"me"}`}},
}

// configMap picks one. What is in it for the engine is the same in all.
func (g *Generator) configMap() (name string, data map[string]string) {
	v := pick(g, variants)
	return v.name, v.data
}

package generate

import (
	"fmt"
	"strings"
)

// plain are expressions that compile for a webhook of the API server. None fails for the objects that are written while
// the controller is tested.
var plain = []string{
	"request.operation != 'DELETE'",
	"!has(object.spec) || !has(object.spec.hostNetwork) || object.spec.hostNetwork == false",
	"has(object.metadata.labels) && 'a' in object.metadata.labels",
	"object.metadata.namespace != 'x' && oldObject == null",
	"!request.userInfo.username.startsWith('system:node:')",
	"[1, 2].exists(i, i == 2)",
}

// tricky are such that autogen rewrites, or must not: it replaces text.
var tricky = []string{
	"object.spec.containers.all(c, c.image != 'object.spec.x')",
	"object.metadata.namespace != 'x' && object.metadata.name != 'metadata'",
	"has(object.metadata.annotations) && object.metadata.annotations[?'spec'].orValue('') != '<a&b>'",
	"oldObject == null || oldObject.spec.hostNetwork == object.spec.hostNetwork",
	"object.metadata.?labels['a'].orValue('') == 'b'",
	"object.spec.?initContainers.orValue([]).size() == 0 && object . spec != null",
	"object.spec.volumes.exists(v, has(v.hostPath) && v.name.matches('^spec[.]metadata$'))",
	"dyn(object).spec.nodeName == \"object.metadata.labels\" || 'metadata' in object",
	"request.object.spec.hostNetwork == true",
	"object['spec']['hostNetwork'] == true && object.spec.template == null",
	"has(object.spec.containers) && object.spec.containers.map(spec, spec.name).all(metadata, metadata != '')",
}

// aboutAuthorizer is for legacy policies: Kyverno's own compiler of the others does not know the authorizer.
const aboutAuthorizer = "authorizer.group('').resource('pods').namespace('default').check('create').allowed()"

// aboutNamespace compiles, too, but a webhook of the API server does not know the Namespace.
const aboutNamespace = "has(namespaceObject.metadata) && namespaceObject.metadata.name != 'x'"

// library needs what only Kyverno has, and so does aboutVariable, which Kyverno takes of policies that mutate alone.
const (
	library       = "image('nginx:1').tag() == '1'"
	aboutVariable = "variables.flag"
)

// conditions makes up match conditions of one class; nil is none at all.
func (g *Generator) conditions(kind string) []any {
	var expressions []string
	switch g.IntN(9) {
	case 0, 1, 2:
		return nil
	case 3:
		return []any{}
	case 4:
		expressions = []string{pick(g, plain)}
	case 5:
		expressions = []string{pick(g, tricky), pick(g, tricky)}
	case 6:
		expressions = []string{pick(g, plain), pick(g, plain), aboutNamespace}
	case 7:
		expressions = []string{aboutNamespace}
	case 8:
		expressions = []string{pick(g, plain), library}
		if strings.Contains(kind, "Mutating") && g.once(2) {
			expressions[1] = aboutVariable
		}
	}
	conditions := make([]any, 0, len(expressions))
	for i, e := range expressions {
		conditions = append(conditions, map[string]any{"name": fmt.Sprintf("c%d", i), "expression": e})
	}
	return conditions
}

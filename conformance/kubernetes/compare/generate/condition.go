package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
)

// expressions are match conditions of every temper, true, false and failing, over each variable. All of them compile,
// because the API server stores no others.
var expressions = []string{
	"true", "false", "object != null", "oldObject == null", "object == null || has(object.metadata)",
	"object != null && has(object.metadata) && has(object.metadata.labels)",
	"object.?metadata.?labels.?app.orValue('') == 'web'", "oldObject != null && oldObject.?metadata.?labels.?app.orValue('') == 'web'",
	"request.operation != 'DELETE'", "request.operation == 'CONNECT'", "has(request.name) && request.name == 'web'", "!has(request.name)",
	"has(request.namespace) && request.namespace == 'prod'", "!has(request.namespace)", "request.?namespace.orValue('') != 'kube-system'",
	"request.userInfo.username.startsWith('system:')", "request.userInfo.username != 'alice'", "'devs' in request.userInfo.groups",
	"has(request.userInfo.extra) && 'team' in request.userInfo.extra", "has(request.userInfo.uid)", "request.dryRun", "!request.dryRun",
	"request.kind.kind == 'Pod'", "request.kind.version == 'v1'", "request.kind.group == ''", "request.resource.resource == 'pods'", "request.resource.version == 'v1beta1'",
	"has(request.subResource) && request.subResource == 'scale'", "has(request.subResource)", "request.requestKind.kind != 'Event'", "request.requestResource.group == 'apps'",
	"namespaceObject == null", "authorizer.group('').resource('pods').check('create').allowed()", "authorizer.requestResource.check('deploy').allowed()",
	"authorizer.group('apps').resource('deployments').namespace('prod').check('deploy').allowed()",
	"oldObject == null || object == null || oldObject.kind == object.kind", "request.options == null",
	"object == null || !has(object.metadata) || !has(object.metadata.uid)", "object != null && has(object.status)", "object != null && has(object.spec)",
	"object == null || !has(object.metadata) || !has(object.metadata.generateName)", "[1,2,3].all(x, x > 0)",
	"object != null && has(object.metadata) && has(object.metadata.name)",
}

// failing are conditions that fail for some requests or for all.
var failing = []string{
	"object.spec.nope == 1", "object.metadata.labels['app'] == 'web'", "object.metadata.labels.app != 'dev'", "oldObject.metadata.labels['tier'] == 'web'",
	"request.name == 'web'", "request.namespace != 'dev'", "request.subResource == 'status'", "request.subResource == ''",
	"namespaceObject.metadata.name == 'prod'", "object.metadata.name == 'web'", "object.metadata.name != oldObject.metadata.name",
	"object.metadata == oldObject.metadata", "object.spec.containers.size() > 0", "object.metadata.uid != ''", "object.spec.size == 1",
	"request.options.fieldManager == 'x'", "object.command[5] == 'x'", "request.userInfo.extra['team'].size() > 0", "int(object.metadata.name) > 0",
	"request.userInfo.groups.exists(g, g == 'devs') || object.metadata.name == 'web'",
}

// spendthrift is a condition of which eight spend the whole budget: each asks the authorizer twice.
const spendthrift = "authorizer.group('').resource('pods').name('%d').check('get').allowed() || authorizer.group('').resource('pods').name('x%d').check('get').allowed()"

// conditions draws match conditions. The more they fail, the less there is to see, so that failing ones are fewer. The
// comment that they end with says whose they are; it stands in the text of an error.
func conditions(r *rand.Rand, owner string, params bool, fails int) []v1.MatchCondition {
	var list []v1.MatchCondition
	add := func(expression string) {
		list = append(list, v1.MatchCondition{Name: fmt.Sprintf("c%d", len(list)), Expression: expression + " // " + owner})
	}
	if chance(r, 40) && fails > 0 {
		for i := range 8 {
			add(fmt.Sprintf(spendthrift, i, i))
		}
		add(pick(r, expressions...))
		return list
	}
	if !chance(r, 3) {
		for range 1 + r.IntN(2) {
			add(pick(r, expressions...))
		}
	}
	if fails > 0 && chance(r, fails) {
		for range 1 + r.IntN(2) {
			add(pick(r, failing...))
		}
	}
	if params && chance(r, 2) {
		add(pick(r, "params != null", "params.metadata.name == 'one'", "params.?data.?max.orValue('') == '3'", "has(params.data)", "params.spec.size == 1"))
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return slices.Clip(list)
}

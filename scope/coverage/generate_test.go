package coverage_test

import (
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/admission"
)

func (w *world) rule() v1.RuleWithOperations {
	r := v1.RuleWithOperations{
		Operations: some(w.Rand, v1.OperationAll, v1.Create, v1.Update, v1.Delete),
		Rule: v1.Rule{
			APIGroups:   some(w.Rand, "*", "", "apps", "batch", "autoscaling", "rbac.authorization.k8s.io", "example.com"),
			APIVersions: some(w.Rand, "*", "v1", "v2", "v1beta1"),
			Resources:   some(w.Rand, "*", "*/*", "pods", "deployments", "services", "configmaps", "secrets", "namespaces", "jobs", "widgets", "horizontalpodautoscalers", "clusterroles", "pods/exec"),
		},
	}
	if w.chance(3) {
		s := pick(w.Rand, v1.AllScopes, v1.NamespacedScope, v1.ClusterScope)
		r.Scope = &s
	}
	if w.chance(2) {
		r.APIGroups, r.APIVersions, r.Resources = []string{"*"}, []string{"*"}, []string{"*"}
		r.Operations = []v1.OperationType{v1.OperationAll}
	}
	return r
}

func (w *world) selector(keys ...string) *metav1.LabelSelector {
	s := &metav1.LabelSelector{}
	if w.chance(3) {
		return s
	}
	if w.chance(3) {
		s.MatchLabels = map[string]string{pick(w.Rand, keys...): pick(w.Rand, "prod", "dev", "web", "kube-system")}
	}
	for range w.IntN(3) {
		r := metav1.LabelSelectorRequirement{Key: pick(w.Rand, keys...), Operator: pick(w.Rand, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
		if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
			r.Values = some(w.Rand, "prod", "dev", "web", "kube-system")
		}
		if w.chance(40) {
			r.Values = []string{"not a label value!"}
		}
		s.MatchExpressions = append(s.MatchExpressions, r)
	}
	return s
}

// expressions read the request in every way that the language has.
var expressions = []string{
	"true", "false", "this does not compile", "object != null", "oldObject == null", "object == null",
	"request.operation != 'DELETE'", "request.namespace == 'prod'", "has(request.namespace)", "request.name.startsWith('web')", "request.kind.kind == 'Pod'",
	"request.userInfo.username == 'alice'", "'devs' in request.userInfo.groups", "request.options == null", "namespaceObject == null", "request.kind.version == 'v1'",
	"object.metadata.name.endsWith('1')", "object.metadata.namespace == 'dev'", "has(object.metadata.namespace)", "request == request && true",
	"has(object.metadata.labels)", "object.metadata.labels['app'] == 'web'", "object.metadata.?labels.?app.orValue('') == 'web'",
	"!has(object.metadata.labels) || !('example.com/skip' in object.metadata.labels)", "object.metadata.labels.all(k, k != 'tier')", "object.metadata.labels.size() > 1",
	"object.metadata.labels[request.namespace] == 'a'", "object.metadata.labels.exists(k, object.metadata.labels[k] == 'web')",
	"has(object.metadata.annotations) && 'note' in object.metadata.annotations", "object.metadata.?annotations[?'owner'].orValue('') == 'a'", "object.metadata.annotations.note == 'a'",
	"has(object.metadata.annotations)", "has(object.metadata.finalizers)", "'example.com/hold' in object.metadata.finalizers", "object.metadata.?finalizers.hasValue()",
	"has(object.spec)", "has(object.status)", "has(object.spec.hostNetwork) && object.spec.hostNetwork", "!object.spec.?hostNetwork.orValue(false)",
	"object.spec.containers.all(c, c.image.startsWith('registry.'))", "object.spec.containers.exists(c, has(c.securityContext) && has(c.securityContext.privileged) && c.securityContext.privileged)",
	"object.spec.containers.exists_one(c, c.name == 'c1')", "object.spec.containers[0].image.contains('docker')", "object.spec.containers[1].name == 'c1'", "size(object.spec.containers) > 1",
	"object.spec.containers.map(c, c.name).size() == 2", "object.spec.containers.filter(c, c.?resources.limits.cpu.orValue('') == '1').size() > 0",
	"object.spec.containers.all(c, object.spec.containers.exists(d, d.name != c.name))", "object.spec.template.spec.containers.all(c, has(c.resources.limits))",
	"object.spec.securityContext.runAsUser == 1", "has(object.spec.securityContext)", "object.spec.?securityContext.hasValue()", "object.spec.securityContext == null",
	"has(object.spec.nodeSelector)", "'disk' in object.spec.nodeSelector", "object.spec.nodeSelector.disk == 'ssd'", "object.spec.serviceAccountName == 'default'", "has(object.spec.serviceAccountName)",
	"object.spec == object.spec", "object == oldObject", "object.spec == oldObject.spec", "object.metadata == oldObject.metadata", "dyn(object) == dyn(oldObject)", "has(oldObject.spec)",
	"object.spec['hostNetwork'] == true", "object['spec']['size'] == 1", "object.spec.size == 1", "type(object.spec.size) == double", "object.spec.size == null", "object[request.name] == 1",
	"object.exists(k, k == 'spec')", "'spec' in object", "object.metadata.exists(k, k == 'annotations')", "[object].exists(o, has(o.spec))", "object.spec.parts.map(p, p.name) == ['a', 'b']",
	"object.spec.parts.exists(p, p.?image.orValue('') == 'x')", "object.spec.parts.all(p, has(p.image))", "object.spec.parts.all(i, p, i < 2 && p.name != 'z')", "object.spec.transformList(k, v, k).size() > 0",
	"object.data.all(k, object.data[k] != '')", "has(object.data) && 'a' in object.data", "object.spec.replicas > 1", "object.metadata.uid == 'uid-1'", "has(object.metadata.uid)", "object.metadata.creationTimestamp != ''",
	"has(object.metadata.managedFields)", "object.status.phase == 'Running'", "has(object.spec.clusterIP)", "has(object.spec.selector)", "object.spec.selector.matchLabels.job == 'a'", "has(object.spec.template.metadata.labels)",
	"oldObject != null && oldObject.metadata.name == object.metadata.name", "oldObject.metadata.labels.app == 'web'", "has(oldObject.metadata.labels) && 'tier' in oldObject.metadata.labels",
	"authorizer.group('').resource('pods').check('create').allowed()", "object.apiVersion == 'v1'", "object.kind == 'Pod' ? object.spec.hostNetwork : false", "[1, 2].all(object, object > 0)",
	"(has(object.spec) ? object.spec : object.metadata).name == 'x'", "cel.bind(s, object.spec, has(s.hostNetwork))", "object.spec.?template.?spec.?containers.orValue([]).all(c, c.name != '')",
	"object.?spec.?size.optMap(s, s == 1).orValue(false)", "{'a': object.metadata.name}.a != ''", "string(object.spec.size) == '1'",
}

func (w *world) conditions() []v1.MatchCondition {
	if w.chance(3) {
		return nil
	}
	conditions := make([]v1.MatchCondition, 1+w.IntN(2))
	for i := range conditions {
		conditions[i] = v1.MatchCondition{Name: fmt.Sprintf("c%d", i), Expression: pick(w.Rand, expressions...)}
	}
	return conditions
}

func (w *world) failurePolicy() *v1.FailurePolicyType {
	f := pick(w.Rand, v1.Fail, v1.Ignore)
	return &f
}

func (w *world) matchPolicy() *v1.MatchPolicyType {
	m := pick(w.Rand, v1.Equivalent, v1.Exact)
	return &m
}

func (w *world) match() *v1.MatchResources {
	m := &v1.MatchResources{NamespaceSelector: w.selector("env", "tier", "kubernetes.io/metadata.name"), ObjectSelector: w.selector("app", "tier", "env"), MatchPolicy: w.matchPolicy()}
	for range 1 + w.IntN(2) {
		r := v1.NamedRuleWithOperations{RuleWithOperations: w.rule()}
		if w.chance(4) {
			r.ResourceNames = some(w.Rand, "web-1", "prod", "admin-2", "dev")
		}
		m.ResourceRules = append(m.ResourceRules, r)
	}
	if w.chance(4) {
		m.ExcludeResourceRules = []v1.NamedRuleWithOperations{{RuleWithOperations: w.rule()}}
	}
	return m
}

// policies generates policies of all kinds, some of which miss their other half.
func (w *world) policies(n int) admission.Objects {
	var o admission.Objects
	none := v1.SideEffectClassNone
	for i := range n {
		name := fmt.Sprintf("p%d", i)
		o.ValidatingWebhooks = append(o.ValidatingWebhooks, &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []v1.ValidatingWebhook{{
			Name: "v.example.com", Rules: []v1.RuleWithOperations{w.rule()}, FailurePolicy: w.failurePolicy(), MatchPolicy: w.matchPolicy(), SideEffects: &none,
			NamespaceSelector: w.selector("env", "tier", "kubernetes.io/metadata.name"), ObjectSelector: w.selector("app", "tier", "env"), MatchConditions: w.conditions(),
		}}})
		o.MutatingWebhooks = append(o.MutatingWebhooks, &v1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Webhooks: []v1.MutatingWebhook{{
			Name: "m.example.com", Rules: []v1.RuleWithOperations{w.rule()}, FailurePolicy: w.failurePolicy(), SideEffects: &none,
			ObjectSelector: w.selector("app", "tier"), MatchConditions: w.conditions(),
		}}})
		w.validating(&o, name)
		w.mutating(&o, name)
	}
	return o
}

func (w *world) validating(o *admission.Objects, name string) {
	p := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.MatchConstraints, p.Spec.FailurePolicy, p.Spec.MatchConditions = w.match(), w.failurePolicy(), w.conditions()
	b := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-binding"}}
	b.Spec.PolicyName, b.Spec.ValidationActions = name, []v1.ValidationAction{pick(w.Rand, v1.Deny, v1.Audit)}
	if w.chance(2) {
		b.Spec.MatchResources = w.match()
		if w.chance(2) {
			b.Spec.MatchResources.ResourceRules = nil
		}
	}
	if w.chance(4) {
		p.Spec.ParamKind = &v1.ParamKind{APIVersion: "v1", Kind: pick(w.Rand, "ConfigMap", "Nothing")}
		action := pick(w.Rand, v1.AllowAction, v1.DenyAction)
		b.Spec.ParamRef = &v1.ParamRef{Name: "config", ParameterNotFoundAction: &action}
		if w.chance(2) {
			b.Spec.ParamRef.Name, b.Spec.ParamRef.Selector = "", &metav1.LabelSelector{}
		}
		p.Spec.MatchConditions = append(p.Spec.MatchConditions, v1.MatchCondition{Name: "param", Expression: pick(w.Rand, "params != null", "params.data.app == object.metadata.labels.app", "params.data.app == 'web'")})
	}
	if !w.chance(12) {
		o.ValidatingPolicies = append(o.ValidatingPolicies, p)
	}
	if !w.chance(12) {
		o.ValidatingBindings = append(o.ValidatingBindings, b)
	}
}

func (w *world) mutating(o *admission.Objects, name string) {
	p := &v1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}}
	p.Spec.MatchConstraints, p.Spec.FailurePolicy, p.Spec.MatchConditions = w.match(), w.failurePolicy(), w.conditions()
	b := &v1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-binding"}}
	b.Spec.PolicyName = name
	if w.chance(2) {
		b.Spec.MatchResources = w.match()
	}
	o.MutatingPolicies, o.MutatingBindings = append(o.MutatingPolicies, p), append(o.MutatingBindings, b)
}

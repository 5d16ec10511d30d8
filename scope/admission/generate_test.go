package admission_test

import (
	"fmt"
	"math/rand/v2"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// generator makes policies that aim at the edges: wildcards in odd places, selectors
// that other selectors contradict, conditions that fail.
type generator struct{ *rand.Rand }

// rule is a resource rule as the API would store it, defaults not always applied.
func (g generator) rule() v1.RuleWithOperations {
	r := v1.RuleWithOperations{
		Operations: some(g.Rand, v1.OperationAll, v1.Create, v1.Update, v1.Delete, v1.Connect),
		Rule: v1.Rule{
			APIGroups:   some(g.Rand, "*", "", "apps", "autoscaling", "events.k8s.io", "rbac.authorization.k8s.io", "example.com", "admissionregistration.k8s.io", "authentication.k8s.io"),
			APIVersions: some(g.Rand, "*", "v1", "v2", "v1beta1"),
			Resources:   some(g.Rand, "*", "*/*", "pods", "pods/*", "pods/", "pods/exec", "*/scale", "deployments", "deployments/scale", "horizontalpodautoscalers", "events", "namespaces", "namespaces/status", "clusterroles", "widgets", "tokenreviews", "validatingwebhookconfigurations", "validatingadmissionpolicies"),
		},
	}
	if !chance(g.Rand, 3) {
		s := pick(g.Rand, v1.AllScopes, v1.NamespacedScope, v1.ClusterScope)
		r.Scope = &s
	}
	if chance(g.Rand, 2) {
		// A wide rule, so that selectors and conditions get their turn.
		r.APIGroups, r.Resources = []string{"*"}, []string{pick(g.Rand, "*", "*/*")}
		r.APIVersions, r.Operations = []string{"*"}, []v1.OperationType{v1.OperationAll}
	}
	return r
}

func (g generator) rules() []v1.RuleWithOperations {
	rules := make([]v1.RuleWithOperations, g.IntN(3))
	for i := range rules {
		rules[i] = g.rule()
	}
	return rules
}

func (g generator) namedRules(most int) []v1.NamedRuleWithOperations {
	var rules []v1.NamedRuleWithOperations
	for range g.IntN(most + 1) {
		r := v1.NamedRuleWithOperations{RuleWithOperations: g.rule()}
		if chance(g.Rand, 4) {
			r.ResourceNames = some(g.Rand, "web", "prod", "admin", "other")
		}
		rules = append(rules, r)
	}
	return rules
}

// selector is a label selector over the labels that the test cluster uses; one in some
// dozens does not compile, as legacy objects may.
func (g generator) selector(keys ...string) *metav1.LabelSelector {
	s := &metav1.LabelSelector{}
	if chance(g.Rand, 3) {
		return s
	}
	if chance(g.Rand, 3) {
		s.MatchLabels = map[string]string{pick(g.Rand, keys...): pick(g.Rand, "prod", "dev", "web", "kube-system")}
	}
	for range g.IntN(3) {
		r := metav1.LabelSelectorRequirement{Key: pick(g.Rand, keys...), Operator: pick(g.Rand, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
		if r.Operator == metav1.LabelSelectorOpIn || r.Operator == metav1.LabelSelectorOpNotIn {
			r.Values = some(g.Rand, "prod", "dev", "web", "kube-system")
		}
		if chance(g.Rand, 40) {
			r.Values = []string{"not a label value!"}
		}
		s.MatchExpressions = append(s.MatchExpressions, r)
	}
	return s
}

func (g generator) namespaceSelector() *metav1.LabelSelector {
	return g.selector("env", "tier", "kubernetes.io/metadata.name")
}

func (g generator) objectSelector() *metav1.LabelSelector { return g.selector("app", "tier", "env") }

// expressions are match conditions of every temper: true, false, failing at run time or
// at compile time, costly, over each variable.
var expressions = []string{
	"true", "false", "object.spec.nope == 1", "object != null", "oldObject == null", "has(object.metadata.labels)",
	"object.metadata.?labels.?app.orValue('') == 'web'", "object.metadata.labels['app'] == 'web'",
	"request.operation != 'DELETE'", "request.name == 'web'", "request.namespace == 'prod'", "!has(request.namespace)",
	"request.userInfo.username.startsWith('system:')", "'devs' in request.userInfo.groups", "request.dryRun",
	"request.kind.kind == 'Pod'", "request.resource.resource == 'pods'", "request.subResource == 'scale'", "has(request.subResource)",
	"namespaceObject == null", "namespaceObject.metadata.name == 'prod'",
	"authorizer.group('').resource('pods').check('create').allowed()", "authorizer.requestResource.check('deploy').allowed()",
	"oldObject.metadata.name == object.metadata.name", "object.metadata == oldObject.metadata", "request.options == null",
	"has(object.status)", "has(object.metadata.uid)", "object.metadata.uid == ''", "object.metadata.name == 'web'",
	"this does not compile", "object.spec.hostNetwork", "params.x == 1", "[1,2,3].all(x, x > 0)",
	"request.userInfo.groups.exists(g, g == 'devs') || object.metadata.name == 'web'",
}

func (g generator) conditions() []v1.MatchCondition {
	if chance(g.Rand, 2) {
		return nil
	}
	conditions := make([]v1.MatchCondition, 1+g.IntN(3))
	for i := range conditions {
		conditions[i] = v1.MatchCondition{Name: fmt.Sprintf("c%d", i), Expression: pick(g.Rand, expressions...)}
	}
	return conditions
}

func (g generator) failurePolicy() *v1.FailurePolicyType {
	f := pick(g.Rand, v1.Fail, v1.Ignore)
	return &f
}

func (g generator) matchPolicy() *v1.MatchPolicyType {
	m := pick(g.Rand, v1.Equivalent, v1.Equivalent, v1.Exact)
	return &m
}

func (g generator) webhook() v1.ValidatingWebhook {
	none := v1.SideEffectClassNone
	return v1.ValidatingWebhook{
		Name: "hook.example.com", Rules: g.rules(), FailurePolicy: g.failurePolicy(), MatchPolicy: g.matchPolicy(), SideEffects: &none,
		NamespaceSelector: g.namespaceSelector(), ObjectSelector: g.objectSelector(), MatchConditions: g.conditions(),
	}
}

func (g generator) match(needsRules bool) *v1.MatchResources {
	m := &v1.MatchResources{
		NamespaceSelector: g.namespaceSelector(), ObjectSelector: g.objectSelector(), MatchPolicy: g.matchPolicy(),
		ResourceRules: g.namedRules(2), ExcludeResourceRules: nil,
	}
	if chance(g.Rand, 4) {
		m.ExcludeResourceRules = g.namedRules(1)
	}
	if needsRules && len(m.ResourceRules) == 0 {
		m.ResourceRules = []v1.NamedRuleWithOperations{{RuleWithOperations: g.rule()}}
	}
	return m
}

func (g generator) policy() *v1.ValidatingAdmissionPolicy {
	p := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "policy"}}
	p.Spec.MatchConstraints = g.match(true)
	p.Spec.FailurePolicy = g.failurePolicy()
	p.Spec.MatchConditions = g.conditions()
	p.Spec.Validations = []v1.Validation{{Expression: "false", Message: evaluated}}
	return p
}

func (g generator) binding() *v1.ValidatingAdmissionPolicyBinding {
	b := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "binding"}}
	b.Spec.PolicyName = "policy"
	b.Spec.ValidationActions = []v1.ValidationAction{v1.Deny}
	if chance(g.Rand, 2) {
		b.Spec.MatchResources = g.match(false)
	}
	return b
}

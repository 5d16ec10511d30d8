package generate

import (
	"math/rand/v2"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rule draws a resource rule that the API server accepts; half of them are wide, so that selectors and conditions get
// their turn.
func rule(r *rand.Rand, operations ...v1.OperationType) v1.RuleWithOperations {
	rule := v1.RuleWithOperations{
		Operations: operations,
		Rule: v1.Rule{
			APIGroups:   some(r, "", "apps", "autoscaling", "events.k8s.io", "rbac.authorization.k8s.io", "example.com", "admissionregistration.k8s.io", "authentication.k8s.io", "policy", "core"),
			APIVersions: some(r, "v1", "v2", "v1beta1", "v1alpha1"),
			Resources:   some(r, "pods", "configmaps", "pods/exec", "pods/attach", "pods/eviction", "deployments", "deployments/scale", "horizontalpodautoscalers", "events", "namespaces", "namespaces/status", "clusterroles", "widgets", "widgets/status", "validatingwebhookconfigurations", "validatingadmissionpolicies", "serviceaccounts/token"),
		},
	}
	if len(operations) == 0 {
		rule.Operations = some(r, v1.Create, v1.Update, v1.Delete, v1.Connect)
		if chance(r, 3) {
			rule.Operations = []v1.OperationType{v1.OperationAll}
		}
	}
	if chance(r, 3) {
		rule.Resources = []string{pick(r, "*", "*/*", "pods/*", "pods/", "*/scale", "*/status", "namespaces/*", "events", "widgets/*")}
	}
	if chance(r, 3) {
		rule.APIGroups = []string{"*"}
	}
	if chance(r, 3) {
		rule.APIVersions = []string{"*"}
	}
	if chance(r, 2) {
		rule.APIGroups, rule.APIVersions, rule.Resources = []string{"*"}, []string{"*"}, []string{pick(r, "*", "*/*")}
		if len(operations) == 0 {
			rule.Operations = []v1.OperationType{v1.OperationAll}
		}
	}
	if !chance(r, 3) {
		s := pick(r, v1.AllScopes, v1.AllScopes, v1.NamespacedScope, v1.ClusterScope)
		rule.Scope = &s
	}
	return rule
}

// rules draws up to two rules for a webhook; it may have none and is never called then.
func rules(r *rand.Rand) []v1.RuleWithOperations {
	list := []v1.RuleWithOperations{}
	for range r.IntN(6) % 3 {
		list = append(list, rule(r))
	}
	if len(list) == 0 && !chance(r, 4) {
		list = append(list, rule(r))
	}
	return list
}

func namedRules(r *rand.Rand, most int, operations ...v1.OperationType) []v1.NamedRuleWithOperations {
	var list []v1.NamedRuleWithOperations
	for range r.IntN(most + 1) {
		named := v1.NamedRuleWithOperations{RuleWithOperations: rule(r, operations...)}
		if chance(r, 4) {
			named.ResourceNames = some(r, "web", "admin", "prod", "fresh-1")
		}
		list = append(list, named)
	}
	return list
}

// selector draws a label selector over the labels that the cluster uses, or omits it.
func selector(r *rand.Rand, keys ...string) *metav1.LabelSelector {
	switch r.IntN(9) {
	case 0, 1:
		return nil
	case 2, 3, 4, 5:
		return &metav1.LabelSelector{}
	}
	s := &metav1.LabelSelector{}
	values := []string{"prod", "dev", "web", "kube-system"}
	if chance(r, 3) {
		s.MatchLabels = map[string]string{pick(r, keys...): pick(r, values...)}
	}
	for range r.IntN(3) {
		requirement := metav1.LabelSelectorRequirement{Key: pick(r, keys...), Operator: pick(r, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
		if requirement.Operator == metav1.LabelSelectorOpIn || requirement.Operator == metav1.LabelSelectorOpNotIn {
			requirement.Values = some(r, values...)
		}
		s.MatchExpressions = append(s.MatchExpressions, requirement)
	}
	return s
}

func namespaceSelector(r *rand.Rand) *metav1.LabelSelector {
	return selector(r, "env", "tier", "kubernetes.io/metadata.name")
}

func objectSelector(r *rand.Rand) *metav1.LabelSelector { return selector(r, "app", "tier", "env") }

func failurePolicy(f v1.FailurePolicyType) *v1.FailurePolicyType { return &f }

func matchPolicy(r *rand.Rand) *v1.MatchPolicyType {
	m := pick(r, v1.Equivalent, v1.Equivalent, v1.Exact)
	if chance(r, 5) {
		return nil
	}
	return &m
}

// match draws match resources.
func match(r *rand.Rand, needsRules bool, operations ...v1.OperationType) *v1.MatchResources {
	m := &v1.MatchResources{
		NamespaceSelector: namespaceSelector(r), ObjectSelector: objectSelector(r), MatchPolicy: matchPolicy(r),
		ResourceRules: namedRules(r, 2, operations...),
	}
	if chance(r, 4) {
		m.ExcludeResourceRules = namedRules(r, 1, operations...)
	}
	if needsRules && len(m.ResourceRules) == 0 {
		m.ResourceRules = []v1.NamedRuleWithOperations{{RuleWithOperations: rule(r, operations...)}}
	}
	return m
}

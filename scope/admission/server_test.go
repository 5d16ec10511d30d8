package admission_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sadmission "k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
)

// The cases of this file were found by comparing with a real API server
// (conformance/kubernetes/compare).

// TestBindingDoesNotChooseTheVersion: the policy's rules match an equivalent version, the
// binding's the request's own; the policy sees the object in the version of its rules.
func TestBindingDoesNotChooseTheVersion(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 1))}
	any := v1.RuleWithOperations{Operations: []v1.OperationType{v1.OperationAll}, Rule: v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}}}
	old := any
	old.APIVersions = []string{"v1beta1"}
	p := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "policy"}}
	p.Spec.MatchConstraints = &v1.MatchResources{ResourceRules: []v1.NamedRuleWithOperations{{RuleWithOperations: old}}}
	p.Spec.MatchConditions = []v1.MatchCondition{{Name: "v1", Expression: "request.kind.version == 'v1'"}}
	b := g.binding()
	b.Spec.MatchResources = &v1.MatchResources{ResourceRules: []v1.NamedRuleWithOperations{{RuleWithOperations: any}}}
	r := podIn("prod", nil)
	r.Kind, r.Resource = gvk("example.com", "v1", "Widget"), widgetV1
	r.Object = custom(r.Kind)("web", "prod", nil)
	trace := explainOne(t, testFacts(), policyPolicies(admission.NewCompiler(), p, b), r)
	if trace.Outcome != scope.Excluded || trace.DecidedBy != scope.MatchConditions {
		t.Errorf("%s by %s, want excluded by matchConditions", trace.Outcome, trace.DecidedBy)
	}
}

// TestOpenPartsDoNotHideTheBudget: the conditions spend the common budget, which beats
// everything else, also where one of them reads something open.
func TestOpenPartsDoNotHideTheBudget(t *testing.T) {
	conditions := []string{"object.metadata.uid != ''", "object.metadata.name == 'other'"}
	for i := range 8 {
		conditions = append(conditions, fmt.Sprintf("authorizer.group('').resource('pods').name('%d').check('get').allowed() || true", i))
	}
	r := podIn("prod", nil)
	r.Open = []scope.Missing{{Path: "object.metadata.uid", Fact: "the uid"}}
	trace := explainOne(t, testFacts(), webhookPolicies(admission.NewCompiler(), everything(conditions...)), r)
	if trace.Outcome != scope.Error || trace.Effect != scope.Rejected {
		t.Errorf("%s (%s), want a rejecting error", trace.Outcome, trace.Effect)
	}
}

// TestOpenLabels leaves labels of the object open: all of them, as a write of the status
// does, or the one of a generated name.
func TestOpenLabels(t *testing.T) {
	name := scope.Missing{Path: `object.metadata.labels["kubernetes.io/metadata.name"]`, Fact: "the generated name"}
	all := scope.Missing{Path: "object.metadata.labels", Fact: "what the old object has there"}
	exists := func(key string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOpExists}}}
	}
	both := exists("kubernetes.io/metadata.name")
	both.MatchLabels = map[string]string{"team": "a"}
	tests := []struct {
		name      string
		namespace *metav1.LabelSelector
		object    *metav1.LabelSelector
		open      scope.Missing
		labels    map[string]string
		want      scope.Outcome
	}{
		{"the label of a generated namespace", exists("kubernetes.io/metadata.name"), nil, name, nil, scope.Unknown},
		{"a known label rules it out", both, nil, name, nil, scope.Excluded},
		{"a known label beside it", exists("team"), nil, name, map[string]string{"team": "a"}, scope.Included},
		{"the object selector, one label", nil, both, name, map[string]string{"team": "b"}, scope.Excluded},
		{"the object selector, all labels", nil, exists("team"), all, map[string]string{"team": "a"}, scope.Unknown},
		{"an empty selector reads no labels", nil, nil, all, nil, scope.Included},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := everything()
			w.NamespaceSelector, w.ObjectSelector = tt.namespace, tt.object
			r := podIn("", tt.labels)
			r.Operation, r.Kind, r.Resource = k8sadmission.Create, gvk("", "v1", "Namespace"), gvr("", "v1", "namespaces")
			r.Object = shapes[7].object("", "", tt.labels)
			r.OpenValidating = []scope.Missing{tt.open}
			if trace := explainOne(t, testFacts(), webhookPolicies(admission.NewCompiler(), w), r); trace.Outcome != tt.want {
				t.Errorf("%s by %s, want %s", trace.Outcome, trace.DecidedBy, tt.want)
			}
		})
	}
}

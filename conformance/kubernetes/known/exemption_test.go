package known

import (
	"slices"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"
	k8sadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// everything is a webhook, a validating policy and a mutating policy for all requests.
func everything() *scope.Set {
	rule := v1.RuleWithOperations{Operations: []v1.OperationType{v1.OperationAll}, Rule: v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}}}
	match := &v1.MatchResources{ResourceRules: []v1.NamedRuleWithOperations{{RuleWithOperations: rule}}}
	name := metav1.ObjectMeta{Name: "all"}
	return scope.NewSet(admission.NewCompiler().Compile(admission.Objects{
		ValidatingWebhooks: []*v1.ValidatingWebhookConfiguration{{ObjectMeta: name, Webhooks: []v1.ValidatingWebhook{{Name: "all", Rules: []v1.RuleWithOperations{rule}}}}},
		ValidatingPolicies: []*v1.ValidatingAdmissionPolicy{{ObjectMeta: name, Spec: v1.ValidatingAdmissionPolicySpec{MatchConstraints: match}}},
		ValidatingBindings: []*v1.ValidatingAdmissionPolicyBinding{{ObjectMeta: name, Spec: v1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "all", ValidationActions: []v1.ValidationAction{v1.Deny}}}},
		MutatingPolicies:   []*v1.MutatingAdmissionPolicy{{ObjectMeta: name, Spec: v1.MutatingAdmissionPolicySpec{MatchConstraints: match}}},
		MutatingBindings:   []*v1.MutatingAdmissionPolicyBinding{{ObjectMeta: name, Spec: v1.MutatingAdmissionPolicyBindingSpec{PolicyName: "all"}}},
	}))
}

// TestExemptResources asks about every built-in resource: exempt are those that the API
// server lists, the admission configuration itself, and nothing else.
func TestExemptResources(t *testing.T) {
	const group = "admissionregistration.k8s.io"
	reviews := exclusion.Excluded()
	policies := []string{"validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"}
	set := everything()
	for _, served := range []string{"1.37", "1.36"} {
		facts := &scope.Facts{Resources: resource.NewSet(resource.Builtin(), builtin.Cohabiting()), Version: version.MustParseGeneric(served)}
		for _, r := range resource.Builtin() {
			gr := r.GroupResource()
			isReview := slices.Contains(reviews, gr)
			isPolicy := gr.Group == group && slices.Contains(policies, gr.Resource)
			want := map[string]bool{
				admission.ValidatingWebhookConfiguration: isReview && served == "1.37" || gr.Group == group,
				admission.ValidatingAdmissionPolicy:      isReview || isPolicy,
				admission.MutatingAdmissionPolicy:        isReview || isPolicy,
			}
			for _, trace := range explain(t, set, facts, r) {
				got := trace.DecidedBy == scope.Exemption
				if got != want[trace.Policy.Kind] {
					t.Errorf("%s/%s on %s: %s exempt: %t, want %t", gr, r.Subresource, served, trace.Policy.Kind, got, want[trace.Policy.Kind])
				}
			}
		}
	}
}

func explain(t *testing.T, set *scope.Set, facts *scope.Facts, r resource.Resource) []*scope.Trace {
	t.Helper()
	request := &scope.Request{Operation: k8sadmission.Create, Kind: r.Kind, Resource: r.GroupVersionResource, Subresource: r.Subresource}
	traces, err := set.Explain(t.Context(), request, facts)
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

package admission

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/webhook"
)

// The functions of this file fill in what the API server fills in when it stores an
// object (k8s.io/kubernetes/pkg/apis/admissionregistration/v1/defaults.go). Without them
// an omitted selector would match nothing instead of everything. They change their
// argument and may be called on an object that has its defaults already.

// DefaultValidatingPolicy fills in the defaults of a ValidatingAdmissionPolicy.
func DefaultValidatingPolicy(p *v1.ValidatingAdmissionPolicy) {
	webhook.Set(&p.Spec.FailurePolicy, v1.Fail)
	defaultMatch(p.Spec.MatchConstraints)
}

// DefaultMutatingPolicy fills in the defaults of a MutatingAdmissionPolicy.
func DefaultMutatingPolicy(p *v1.MutatingAdmissionPolicy) {
	webhook.Set(&p.Spec.FailurePolicy, v1.Fail)
	defaultMatch(p.Spec.MatchConstraints)
}

// DefaultValidatingBinding fills in the defaults of a ValidatingAdmissionPolicyBinding.
func DefaultValidatingBinding(b *v1.ValidatingAdmissionPolicyBinding) {
	defaultMatch(b.Spec.MatchResources)
}

// DefaultMutatingBinding fills in the defaults of a MutatingAdmissionPolicyBinding.
func DefaultMutatingBinding(b *v1.MutatingAdmissionPolicyBinding) {
	defaultMatch(b.Spec.MatchResources)
}

// defaultMatch leaves absent match resources absent: in a binding that means everything.
func defaultMatch(m *v1.MatchResources) {
	if m == nil {
		return
	}
	webhook.Set(&m.MatchPolicy, v1.Equivalent)
	webhook.Set(&m.NamespaceSelector, metav1.LabelSelector{})
	webhook.Set(&m.ObjectSelector, metav1.LabelSelector{})
	for _, rules := range [][]v1.NamedRuleWithOperations{m.ResourceRules, m.ExcludeResourceRules} {
		for i := range rules {
			webhook.Set(&rules[i].Scope, v1.AllScopes)
		}
	}
}

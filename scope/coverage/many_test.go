package coverage_test

import (
	"fmt"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	k8sadmission "k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// TestManyResources: a cluster may serve more resources than fit in a byte, each of which a
// policy for everything sees in another version. Every pair is compared with its trace.
func TestManyResources(t *testing.T) {
	all := append([]resource.Resource{}, resource.Builtin()...)
	var kinds []resource.Resource
	for i := range 600 {
		gvr := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: fmt.Sprint("things", i)}
		kinds = append(kinds, resource.Resource{GroupVersionResource: gvr, Kind: gvr.GroupVersion().WithKind(fmt.Sprint("Thing", i)), Namespaced: true, Served: true})
	}
	facts := newWorld(1, 1).facts()
	facts.Resources = resource.NewSet(append(all, kinds...), nil)
	policies := admission.NewCompiler().Compile(forEverything())
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, policies, facts)
	var objects []coverage.Object
	var requests []*scope.Request
	for i, k := range kinds {
		for _, name := range []string{"one", "two"} {
			u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": name, "namespace": "prod"}, "spec": map[string]any{"size": int64(i % 5)}}}
			u.SetGroupVersionKind(k.Kind)
			o := coverage.Object{Resource: k.GroupVersionResource, Namespace: "prod", Name: name, Content: projector.Project(k.GroupVersionResource, u)}
			store.Put(o)
			objects = append(objects, o)
			requests = append(requests, &scope.Request{Operation: k8sadmission.Create, Kind: k.Kind, Resource: k.GroupVersionResource, Namespace: "prod", Name: name, Object: u, User: alice})
		}
	}
	result, err := coverage.NewEvaluator(asks[1]).Update(t.Context(), store.Snapshot(), policies, facts)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[scope.Outcome]int{}
	for n, o := range objects {
		traces, err := scope.NewSet(policies).Explain(t.Context(), requests[n], facts)
		if err != nil {
			t.Fatal(err)
		}
		for i, trace := range traces {
			outcomes[trace.Outcome]++
			if e, _ := result.At(i, o.Resource, o.Namespace, o.Name); e.Outcome != trace.Outcome || e.DecidedBy != trace.DecidedBy {
				t.Fatalf("%s: %s %s is %s by %s, the trace says %s by %s", policies[i].ID(), o.Resource.Resource, o.Name, e.Outcome, e.DecidedBy, trace.Outcome, trace.DecidedBy)
			}
		}
	}
	if outcomes[scope.Included] == 0 || outcomes[scope.Excluded] == 0 {
		t.Errorf("only %v", outcomes)
	}
}

// forEverything is a webhook and a policy for all resources. What they say depends on the kind,
// the content, and in the policy on the name.
func forEverything() admission.Objects {
	none, exact := v1.SideEffectClassNone, v1.Exact
	rule := v1.RuleWithOperations{Operations: []v1.OperationType{v1.OperationAll}, Rule: v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}}}
	conditions := []v1.MatchCondition{{Name: "kind", Expression: "request.kind.kind.endsWith('7') || object.spec.size > 2"}}
	hook := &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "hook"}, Webhooks: []v1.ValidatingWebhook{{
		Name: "hook.example.com", Rules: []v1.RuleWithOperations{rule}, SideEffects: &none, MatchPolicy: &exact, MatchConditions: conditions,
	}}}
	policy := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "policy"}}
	policy.Spec.MatchConstraints = &v1.MatchResources{MatchPolicy: &exact, ResourceRules: []v1.NamedRuleWithOperations{{ResourceNames: []string{"one"}, RuleWithOperations: rule}}}
	policy.Spec.MatchConditions = conditions
	binding := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "binding"}}
	binding.Spec.PolicyName, binding.Spec.ValidationActions = "policy", []v1.ValidationAction{v1.Deny}
	return admission.Objects{ValidatingWebhooks: []*v1.ValidatingWebhookConfiguration{hook}, ValidatingPolicies: []*v1.ValidatingAdmissionPolicy{policy}, ValidatingBindings: []*v1.ValidatingAdmissionPolicyBinding{binding}}
}

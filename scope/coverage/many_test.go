package coverage_test

import (
	"fmt"
	"slices"
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
	var kinds []resource.Resource
	for i := range 600 {
		gvr := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: fmt.Sprint("things", i)}
		kind := gvr.GroupVersion().WithKind(fmt.Sprint("Thing", i))
		kinds = append(kinds, resource.Resource{GroupVersionResource: gvr, Kind: kind, Namespaced: true, Served: true})
	}
	facts := newWorld(1, 1).facts()
	facts.Resources = resource.NewSet(append(slices.Clone(resource.Builtin()), kinds...), nil)
	policies := admission.NewCompiler().Compile(forEverything())
	store := coverage.NewStore()
	projector := coverage.NewProjector(store, policies, facts)
	var requests []*scope.Request
	for i, k := range kinds {
		for _, name := range []string{"one", "two"} {
			u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(i % 5)}}}
			u.SetGroupVersionKind(k.Kind)
			u.SetNamespace("prod")
			u.SetName(name)
			content := projector.Project(k.GroupVersionResource, u)
			store.Put(coverage.Object{Resource: k.GroupVersionResource, Namespace: "prod", Name: name, Content: content})
			requests = append(requests, &scope.Request{
				Operation: k8sadmission.Create, Kind: k.Kind, Resource: k.GroupVersionResource,
				Namespace: "prod", Name: name, Object: u, User: alice,
			})
		}
	}
	result, err := coverage.NewEvaluator(asks[1]).Update(t.Context(), store.Snapshot(), policies, facts)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[scope.Outcome]int{}
	for _, q := range requests {
		traces, err := scope.NewSet(policies).Explain(t.Context(), q, facts)
		if err != nil {
			t.Fatal(err)
		}
		for i, trace := range traces {
			outcomes[trace.Outcome]++
			e, _ := result.At(i, q.Resource, q.Namespace, q.Name)
			if e.Outcome != trace.Outcome || e.DecidedBy != trace.DecidedBy {
				t.Fatalf("%s: %s %s is %s by %s, the trace says %s by %s", policies[i].ID(), q.Resource.Resource, q.Name,
					e.Outcome, e.DecidedBy, trace.Outcome, trace.DecidedBy)
			}
		}
	}
	if outcomes[scope.Included] == 0 || outcomes[scope.Excluded] == 0 {
		t.Errorf("only %v", outcomes)
	}
}

// forEverything is a webhook and a policy for all resources. What they say depends on the kind
// and the content, in the policy also on the name.
func forEverything() admission.Objects {
	none, exact := v1.SideEffectClassNone, v1.Exact
	expression := "request.kind.kind.endsWith('7') || object.spec.size > 2"
	conditions := []v1.MatchCondition{{Name: "kind", Expression: expression}}
	hook := &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "hook"}}
	hook.Webhooks = []v1.ValidatingWebhook{{
		Name: "hook.example.com", Rules: []v1.RuleWithOperations{everything}, SideEffects: &none,
		MatchPolicy: &exact, MatchConditions: conditions,
	}}
	policy := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "policy"}}
	policy.Spec.MatchConstraints = &v1.MatchResources{
		MatchPolicy:   &exact,
		ResourceRules: []v1.NamedRuleWithOperations{{ResourceNames: []string{"one"}, RuleWithOperations: everything}},
	}
	policy.Spec.MatchConditions = conditions
	binding := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "binding"}}
	binding.Spec.PolicyName, binding.Spec.ValidationActions = "policy", []v1.ValidationAction{v1.Deny}
	return admission.Objects{
		ValidatingWebhooks: []*v1.ValidatingWebhookConfiguration{hook},
		ValidatingPolicies: []*v1.ValidatingAdmissionPolicy{policy},
		ValidatingBindings: []*v1.ValidatingAdmissionPolicyBinding{binding},
	}
}

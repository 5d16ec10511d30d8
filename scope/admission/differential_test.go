package admission_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
)

var (
	seed  = flag.Uint64("seed", 1, "seed of the differential tests")
	cases = flag.Int("cases", 20000, "questions that each differential test asks")
)

// TestWebhooksAgreeWithUpstream compares every verdict on a webhook with ShouldCallHook.
func TestWebhooksAgreeWithUpstream(t *testing.T) {
	facts, compiler := testFacts(), admission.NewCompiler()
	up := newUpstream(facts)
	disagrees := func(w v1.ValidatingWebhook, r *scope.Request) string {
		ours := explainOne(t, facts, webhookPolicies(compiler, w), r)
		theirs := up.webhook(w, r.Attributes())
		if theirs.outcome == scope.Excluded && *w.FailurePolicy == v1.Ignore {
			theirs = ignoreWebhook(up, w, r)
		}
		return compare(ours, theirs)
	}
	counts := map[scope.Outcome]int{}
	for i := range *cases {
		g := generator{rand.New(rand.NewPCG(*seed, uint64(i)))}
		w, r := g.webhook(), g.request()
		if msg := disagrees(w, r); msg != "" {
			w = shrink(w, shrinkWebhook, func(w v1.ValidatingWebhook) bool { return disagrees(w, r) != "" })
			t.Fatalf("seed %d, case %d: %s\n%s\n%s", *seed, i, disagrees(w, r), asYAML(w), describe(r))
		}
		counts[explainOne(t, facts, webhookPolicies(compiler, w), r).Outcome]++
	}
	t.Logf("%d questions: %v", *cases, counts)
	mustReach(t, counts, scope.Included, scope.Excluded, scope.Error)
}

// TestPoliciesAgreeWithUpstream compares every verdict on a ValidatingAdmissionPolicy and
// a binding with the API server's dispatcher.
func TestPoliciesAgreeWithUpstream(t *testing.T) {
	facts, compiler := testFacts(), admission.NewCompiler()
	up := newUpstream(facts)
	type pair struct {
		Policy  *v1.ValidatingAdmissionPolicy
		Binding *v1.ValidatingAdmissionPolicyBinding
	}
	disagrees := func(p pair, r *scope.Request) string {
		ours := explainOne(t, facts, policyPolicies(compiler, p.Policy, p.Binding), r)
		stored := p.Policy.DeepCopy()
		bound := p.Binding.DeepCopy()
		admission.DefaultValidatingPolicy(stored)
		admission.DefaultValidatingBinding(bound)
		theirs := up.policy(stored, bound, r.Attributes(), facts)
		if theirs.outcome == scope.Excluded && *stored.Spec.FailurePolicy == v1.Ignore {
			fail := v1.Fail
			stored.Spec.FailurePolicy = &fail
			if strict := up.policy(stored, bound, r.Attributes(), facts); strict.outcome == scope.Error {
				theirs = verdict{outcome: scope.Error, effect: scope.Skipped, err: strict.err}
			}
		}
		return compare(ours, theirs)
	}
	counts := map[scope.Outcome]int{}
	for i := range *cases {
		g := generator{rand.New(rand.NewPCG(*seed, uint64(i)))}
		p, r := pair{g.policy(), g.binding()}, g.request()
		if msg := disagrees(p, r); msg != "" {
			p = shrink(p, func(p pair) []pair {
				var smaller []pair
				for _, c := range shrinkConditions(p.Policy.Spec.MatchConditions) {
					q := pair{p.Policy.DeepCopy(), p.Binding}
					q.Policy.Spec.MatchConditions = c
					smaller = append(smaller, q)
				}
				for _, m := range shrinkMatch(p.Policy.Spec.MatchConstraints) {
					q := pair{p.Policy.DeepCopy(), p.Binding}
					q.Policy.Spec.MatchConstraints = m
					smaller = append(smaller, q)
				}
				for _, m := range shrinkMatch(p.Binding.Spec.MatchResources) {
					q := pair{p.Policy, p.Binding.DeepCopy()}
					q.Binding.Spec.MatchResources = m
					smaller = append(smaller, q)
				}
				return smaller
			}, func(p pair) bool { return disagrees(p, r) != "" })
			t.Fatalf("seed %d, case %d: %s\n%s\n%s", *seed, i, disagrees(p, r), asYAML(p), describe(r))
		}
		counts[explainOne(t, facts, policyPolicies(compiler, p.Policy, p.Binding), r).Outcome]++
	}
	t.Logf("%d questions: %v", *cases, counts)
	mustReach(t, counts, scope.Included, scope.Excluded, scope.Error)
}

// ignoreWebhook tells an error that Ignore has dropped from a plain "no".
func ignoreWebhook(up *upstream, w v1.ValidatingWebhook, r *scope.Request) verdict {
	fail := v1.Fail
	w.FailurePolicy = &fail
	if strict := up.webhook(w, r.Attributes()); strict.outcome == scope.Error {
		return verdict{outcome: scope.Error, effect: scope.Skipped, err: strict.err}
	}
	return verdict{outcome: scope.Excluded, effect: scope.NotCalled}
}

// compare returns how two verdicts differ. Where upstream cannot convert a built-in kind
// outside the API server, Ambit must either say so or have decided without the object.
func compare(ours *scope.Trace, theirs verdict) string {
	if unconvertible(theirs.err) {
		return ""
	}
	if ours.Outcome != theirs.outcome || ours.Effect != theirs.effect {
		return fmt.Sprintf("Ambit says %s (%s, by %s), upstream %s (%s, %v)", ours.Outcome, ours.Effect, ours.DecidedBy, theirs.outcome, theirs.effect, theirs.err)
	}
	return ""
}

func webhookPolicies(c *admission.Compiler, w v1.ValidatingWebhook) []*scope.Policy {
	return c.Compile(admission.Objects{ValidatingWebhooks: []*v1.ValidatingWebhookConfiguration{{ObjectMeta: metav1.ObjectMeta{Name: "config"}, Webhooks: []v1.ValidatingWebhook{w}}}})
}

func policyPolicies(c *admission.Compiler, p *v1.ValidatingAdmissionPolicy, b *v1.ValidatingAdmissionPolicyBinding) []*scope.Policy {
	return c.Compile(admission.Objects{ValidatingPolicies: []*v1.ValidatingAdmissionPolicy{p}, ValidatingBindings: []*v1.ValidatingAdmissionPolicyBinding{b}})
}

// explainOne explains a request against one policy, and every layer of it, so that the
// reasons run too.
func explainOne(t *testing.T, facts *scope.Facts, policies []*scope.Policy, r *scope.Request) *scope.Trace {
	t.Helper()
	traces, err := scope.NewSet(policies).Explain(context.Background(), r, facts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range traces[0].Steps(context.Background()) {
		traces[0].Reasons(context.Background(), i)
	}
	return traces[0]
}

// mustReach fails a generator that has lost its aim.
func mustReach(t *testing.T, counts map[scope.Outcome]int, outcomes ...scope.Outcome) {
	t.Helper()
	for _, o := range outcomes {
		if counts[o]*50 < *cases {
			t.Errorf("only %d of %d questions come out as %s", counts[o], *cases, o)
		}
	}
}

func asYAML(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func describe(r *scope.Request) string {
	return fmt.Sprintf("%s %s/%s in %q named %q\nobject: %s\noldObject: %s\nopen: %v %v", r.Operation, r.Resource, r.Subresource, r.Namespace, r.Name, asYAML(r.Object), asYAML(r.OldObject), r.Open, r.OpenValidating)
}

package admission_test

import (
	"context"
	"fmt"
	"testing"

	v1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sadmission "k8s.io/apiserver/pkg/admission"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	vap "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	scopewebhook "github.com/ambit-k8s/ambit/scope/webhook"
)

// bigCluster is 500 webhooks and 500 policies with a binding each, over four resources,
// with the selectors and conditions that real policies have.
func bigCluster(conditions bool) admission.Objects {
	var o admission.Objects
	resources := []struct{ group, name string }{{"", "pods"}, {"apps", "deployments"}, {"", "services"}, {"networking.k8s.io", "ingresses"}}
	none := v1.SideEffectClassNone
	for i := range 500 {
		r := resources[i%len(resources)]
		rule := v1.RuleWithOperations{Operations: []v1.OperationType{v1.Create, v1.Update}, Rule: v1.Rule{APIGroups: []string{r.group}, APIVersions: []string{"v1"}, Resources: []string{r.name}}}
		system := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpNotIn, Values: []string{"kube-system", fmt.Sprint("team-", i)}}}}
		optOut := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: fmt.Sprint("example.com/skip-", i%7), Operator: metav1.LabelSelectorOpDoesNotExist}}}
		var conds []v1.MatchCondition
		if conditions && i%3 == 0 {
			conds = []v1.MatchCondition{
				{Name: "not-system", Expression: fmt.Sprintf("!request.userInfo.username.startsWith('system:%d')", i)},
				{Name: "named", Expression: "object.metadata.name != ''"},
			}
		}
		o.ValidatingWebhooks = append(o.ValidatingWebhooks, &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("hook-%03d", i)}, Webhooks: []v1.ValidatingWebhook{{
			Name: fmt.Sprintf("hook-%d.example.com", i), Rules: []v1.RuleWithOperations{rule}, NamespaceSelector: system, ObjectSelector: optOut, MatchConditions: conds, SideEffects: &none,
		}}})
		p := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("policy-%03d", i)}}
		p.Spec.MatchConstraints = &v1.MatchResources{NamespaceSelector: system, ObjectSelector: optOut, ResourceRules: []v1.NamedRuleWithOperations{{RuleWithOperations: rule}}}
		p.Spec.MatchConditions = conds
		b := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("binding-%03d", i)}}
		b.Spec = v1.ValidatingAdmissionPolicyBindingSpec{PolicyName: p.Name, ValidationActions: []v1.ValidationAction{v1.Deny}, MatchResources: &v1.MatchResources{NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"env": "prod"}}}}
		scopewebhook.DefaultValidating(o.ValidatingWebhooks[i])
		admission.DefaultValidatingPolicy(p)
		admission.DefaultValidatingBinding(b)
		o.ValidatingPolicies = append(o.ValidatingPolicies, p)
		o.ValidatingBindings = append(o.ValidatingBindings, b)
	}
	return o
}

func benchRequest() *scope.Request {
	pod := shapes[0].object("web", "prod", map[string]string{"app": "web"})
	return &scope.Request{
		Operation: k8sadmission.Create, Kind: shapes[0].kind, Resource: shapes[0].gvr, Name: "web", Namespace: "prod", Object: pod,
		Options: &metav1.CreateOptions{}, User: &authenticationv1.UserInfo{Username: "alice", Groups: []string{"devs"}},
	}
}

// BenchmarkOnePod asks about one Pod against 1,000 policies: upstream's matchers in a
// plain loop, Ambit's verdicts, and Ambit's verdicts with every layer and reason of the
// policies that the Pod can reach.
func BenchmarkOnePod(b *testing.B) {
	for _, conditions := range []bool{false, true} {
		o := bigCluster(conditions)
		facts := testFacts()
		name := map[bool]string{false: "rules-and-selectors", true: "with-conditions"}[conditions]
		b.Run(name+"/upstream", func(b *testing.B) { benchUpstream(b, o, facts) })
		set := scope.NewSet(admission.NewCompiler().Compile(o))
		b.Run(name+"/ambit", func(b *testing.B) { benchAmbit(b, set, facts, false) })
		b.Run(name+"/ambit-with-reasons", func(b *testing.B) { benchAmbit(b, set, facts, true) })
	}
}

func benchAmbit(b *testing.B, set *scope.Set, facts *scope.Facts, reasons bool) {
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		traces, err := set.Explain(ctx, benchRequest(), facts)
		if err != nil {
			b.Fatal(err)
		}
		included := 0
		for _, t := range traces {
			if t.Outcome == scope.Included {
				included++
			}
			if !reasons || t.DecidedBy == scope.ResourceRules {
				continue
			}
			for i := range t.Steps(ctx) {
				t.Reasons(ctx, i)
			}
		}
		if included != 250 {
			b.Fatalf("%d included", included)
		}
	}
}

// benchUpstream is the loop that the API server runs, without calling anything.
func benchUpstream(b *testing.B, o admission.Objects, facts *scope.Facts) {
	up := newUpstream(facts)
	hooks := make([]webhook.WebhookAccessor, len(o.ValidatingWebhooks))
	for i, c := range o.ValidatingWebhooks {
		hooks[i] = webhook.NewValidatingWebhookAccessor(c.Name, c.Name, &c.Webhooks[0])
	}
	matcher := generic.NewPolicyMatcher(up.matcher)
	conditions := make([]matchconditions.Matcher, len(o.ValidatingPolicies))
	for i, p := range o.ValidatingPolicies {
		accessors := make([]celplugin.ExpressionAccessor, len(p.Spec.MatchConditions))
		for j := range p.Spec.MatchConditions {
			accessors[j] = (*matchconditions.MatchCondition)(&p.Spec.MatchConditions[j])
		}
		if len(accessors) > 0 {
			conditions[i] = matchconditions.NewMatcher(up.conditions.CompileCondition(accessors, celplugin.OptionalVariableDeclarations{HasAuthorizer: true}, environment.StoredExpressions), p.Spec.FailurePolicy, "policy", "validate", p.Name)
		}
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		attr := benchRequest().Attributes()
		v := &versionsOnce{versions: versions{attr, up.interfaces}}
		included := 0
		for _, h := range hooks {
			if invocation, status := up.webhooks.ShouldCallHook(ctx, h, attr, up.interfaces, v); status == nil && invocation != nil {
				included++
			}
		}
		for i, p := range o.ValidatingPolicies {
			ok, _, kind, err := matcher.DefinitionMatches(attr, up.interfaces, vap.NewValidatingAdmissionPolicyAccessor(p))
			if !ok || err != nil {
				continue
			}
			if ok, err = matcher.BindingMatches(attr, up.interfaces, vap.NewValidatingAdmissionPolicyBindingAccessor(o.ValidatingBindings[i])); !ok || err != nil {
				continue
			}
			if conditions[i] != nil {
				versioned, err := v.VersionedAttribute(kind)
				if err != nil || !conditions[i].Match(ctx, versioned, nil, facts.Authorizer).Matches {
					continue
				}
			}
			included++
		}
		if included != 250 {
			b.Fatalf("%d included", included)
		}
	}
}

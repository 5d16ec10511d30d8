package admission_test

import (
	"math/rand/v2"
	"testing"

	k8sadmission "k8s.io/apiserver/pkg/admission"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
)

// hide leaves parts of a question open, as a person does who pastes an object.
func hide(g generator, r *scope.Request, facts *scope.Facts) (*scope.Request, *scope.Facts) {
	open, less := *r, *facts
	if chance(g.Rand, 2) {
		open.User = nil
		open.Open = append(open.Open, scope.Missing{Path: "request.userInfo", Fact: "who asks"})
	}
	if chance(g.Rand, 3) {
		less.Authorizer = nil
	}
	if r.Operation == k8sadmission.Update && chance(g.Rand, 2) {
		open.OldObject = nil
		open.Open = append(open.Open, scope.Missing{Path: "oldObject", Fact: "the old object"})
	}
	if r.Operation != k8sadmission.Connect && chance(g.Rand, 2) {
		open.Options = nil
		open.Open = append(open.Open, scope.Missing{Path: "request.options", Fact: "the options"})
	}
	if chance(g.Rand, 3) {
		less.Namespaces = namespaces{open: true}
	}
	if r.Object != nil && chance(g.Rand, 2) {
		open.Open = append(open.Open, scope.Missing{Path: "object.metadata.uid", Fact: "the uid"})
	}
	return &open, &less
}

// TestOpenQuestionsNeverGuess hides parts of a question and asks again: the answer must
// be the one to the whole question, or unknown. The namespace of the whole question
// exists, because a request to one that does not is refused before any policy.
func TestOpenQuestionsNeverGuess(t *testing.T) {
	facts, compiler := testFacts(), admission.NewCompiler()
	counts := map[scope.Outcome]int{}
	for i := range *cases {
		g := generator{rand.New(rand.NewPCG(*seed, uint64(i)))}
		r := g.request()
		if _, presence := facts.Namespaces.Namespace(r.Namespace); r.Namespace != "" && presence == scope.Absent {
			continue
		}
		policies := webhookPolicies(compiler, g.webhook())
		if chance(g.Rand, 2) {
			policies = policyPolicies(compiler, g.policy(), g.binding())
		}
		openRequest, openFacts := hide(g, r, facts)
		whole := explainOne(t, facts, policies, r)
		partial := explainOne(t, openFacts, policies, openRequest)
		counts[partial.Outcome]++
		if partial.Outcome == scope.Unknown {
			if len(partial.Missing()) == 0 {
				t.Fatalf("seed %d, case %d: unknown without a missing fact\n%s\n%s", *seed, i, asYAML(policies[0].Source), describe(openRequest))
			}
			continue
		}
		if partial.Outcome != whole.Outcome || partial.Effect != whole.Effect {
			t.Fatalf("seed %d, case %d: the open question is answered %s (%s, by %s), the whole one %s (%s, by %s)\n%s\n%s\n%s", *seed, i,
				partial.Outcome, partial.Effect, partial.DecidedBy, whole.Outcome, whole.Effect, whole.DecidedBy, asYAML(policies[0].Source), asYAML(policies[0].BindingSource), describe(openRequest))
		}
	}
	t.Logf("%d questions: %v", *cases, counts)
	mustReach(t, counts, scope.Included, scope.Excluded, scope.Unknown)
}

// TestOpenGroups leaves only the groups of a user open.
func TestOpenGroups(t *testing.T) {
	tests := []struct {
		condition string
		want      scope.Outcome
	}{
		{"request.userInfo.username == 'alice'", scope.Included},
		{"'admins' in request.userInfo.groups", scope.Unknown},
		{"request.userInfo.username == 'bob' && 'admins' in request.userInfo.groups", scope.Excluded},
		{"has(request.userInfo.groups)", scope.Unknown},
		{"authorizer.requestResource.check('deploy').allowed()", scope.Unknown},
	}
	compiler := admission.NewCompiler()
	for _, tt := range tests {
		r := podIn("prod", nil)
		r.User.Groups = nil
		r.Open = []scope.Missing{{Path: "request.userInfo.groups", Fact: "the groups of alice"}}
		trace := explainOne(t, testFacts(), webhookPolicies(compiler, everything(tt.condition)), r)
		if trace.Outcome != tt.want {
			t.Errorf("%s: %s, want %s; %+v", tt.condition, trace.Outcome, tt.want, trace.Missing())
		}
	}
}

// everything is a webhook for all requests that meet its conditions.
func everything(conditions ...string) v1.ValidatingWebhook {
	w := v1.ValidatingWebhook{Name: "hook.example.com", Rules: []v1.RuleWithOperations{{Operations: []v1.OperationType{v1.OperationAll}, Rule: v1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}}}}}
	for i, e := range conditions {
		w.MatchConditions = append(w.MatchConditions, v1.MatchCondition{Name: string(rune('a' + i)), Expression: e})
	}
	return w
}

// TestOpenQuestionsAreDecidedWherePossible holds the other side: unknown only where the
// missing fact matters.
func TestOpenQuestionsAreDecidedWherePossible(t *testing.T) {
	tests := []struct {
		name       string
		conditions []string
		want       scope.Outcome
	}{
		{"nothing reads what is open", []string{"object.metadata.name == 'web'"}, scope.Included},
		{"another condition decides", []string{"request.userInfo.username == 'alice'", "object.metadata.name != 'web'"}, scope.Excluded},
		{"a part of the condition decides", []string{"request.userInfo.username == 'alice' || object.metadata.name == 'web'"}, scope.Included},
		{"a part of the condition decides against", []string{"request.userInfo.username == 'alice' && object.metadata.name != 'web'"}, scope.Excluded},
		{"an error does not hide what is open", []string{"request.userInfo.username == 'alice'", "object.spec.nope == 1"}, scope.Unknown},
		{"presence of what is open", []string{"has(request.userInfo.groups)"}, scope.Unknown},
		{"a macro over what is open", []string{"request.userInfo.groups.exists(g, g == 'devs')"}, scope.Unknown},
		{"null is known though a field below is open", []string{"object != null && oldObject == null"}, scope.Included},
		{"an open field below", []string{"object.metadata.uid != ''"}, scope.Unknown},
		{"presence of an open field below", []string{"!has(object.metadata.uid)"}, scope.Unknown},
		{"a neighbour of an open field", []string{"!has(object.metadata.generateName)"}, scope.Included},
		{"the object as a whole", []string{"object.metadata == object.metadata"}, scope.Unknown},
		{"a field right below the object", []string{"has(object.status)"}, scope.Unknown},
		{"the authorizer", []string{"authorizer.requestResource.check('deploy').allowed()"}, scope.Unknown},
		{"the options", []string{"request.options.fieldManager == 'kubectl'"}, scope.Unknown},
	}
	compiler := admission.NewCompiler()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := generator{rand.New(rand.NewPCG(1, 1))}
			r := g.request()
			r.Operation, r.Kind, r.Resource, r.Subresource = k8sadmission.Create, gvk("", "v1", "Pod"), gvr("", "v1", "pods"), ""
			r.Object, r.OldObject = shapes[0].object("web", "prod", nil), nil
			r.Name, r.Namespace, r.User, r.Options = "web", "prod", nil, nil
			r.Open = []scope.Missing{{Path: "request.userInfo", Fact: "who asks"}, {Path: "request.options", Fact: "the options"}, {Path: "object.metadata.uid", Fact: "the uid"}, {Path: "object.status", Fact: "the status"}}
			facts := testFacts()
			facts.Authorizer = nil
			trace := explainOne(t, facts, webhookPolicies(compiler, everything(tt.conditions...)), r)
			if trace.Outcome != tt.want {
				t.Errorf("%v: %s by %s, want %s; %+v", tt.conditions, trace.Outcome, trace.DecidedBy, tt.want, trace.Missing())
			}
		})
	}
}

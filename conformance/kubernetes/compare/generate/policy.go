package generate

import (
	"fmt"
	"math/rand/v2"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
)

// Lane is what the policies of a round have in common. One policy that refuses a request hides what the others would
// have done, and one that changes the object changes what the others see; each has a lane of its own.
type Lane string

const (
	// Watching policies refuse nothing and change nothing: as many as possible, of all kinds but mutating policies.
	Watching Lane = "watching"
	// RefusingWebhooks fail and refuse the request then.
	RefusingWebhooks Lane = "refusing webhooks"
	// DenyingPolicies are validating policies that refuse what they are asked about, and what they cannot decide.
	DenyingPolicies Lane = "denying policies"
	// MarkingPolicies are mutating policies that mark what they are asked about.
	MarkingPolicies Lane = "marking policies"
	// EquivalentMarking is one mutating policy that may see the object in another version than the request's.
	EquivalentMarking Lane = "marking in another version"
	// RefusingMarking is mutating policies that refuse what they cannot decide.
	RefusingMarking Lane = "refusing marking policies"
)

// The names of the two generated webhook configurations.
const Generated = "generated"

// Policies makes up the policies of a round.
type Policies struct {
	*rand.Rand
	// Corpus are real policies, of which some take part, changed a little.
	Corpus *Corpus
}

// Round makes up policies.
func (g Policies) Round(lane Lane) *oracle.Policies {
	p := &oracle.Policies{}
	switch lane {
	case Watching:
		g.addWebhooks(p, 44, 14, v1.Ignore)
		for i := range 22 {
			g.addValidating(p, i, v1.Warn)
		}
		g.addUnbound(p)
	case RefusingWebhooks:
		g.addWebhooks(p, 5, 3, v1.Fail)
	case DenyingPolicies:
		for i := range 1 + g.IntN(3) {
			g.addValidating(p, i, v1.Deny)
		}
	case MarkingPolicies:
		for i := range 14 {
			g.addMutating(p, i, v1.Ignore, v1.Exact)
		}
	case EquivalentMarking:
		g.addMutating(p, 0, v1.Ignore, v1.Equivalent)
	case RefusingMarking:
		for i := range 3 {
			g.addMutating(p, i, v1.Fail, v1.Exact)
		}
	}
	return p
}

// addWebhooks adds webhooks, with what an error of them is to do.
func (g Policies) addWebhooks(p *oracle.Policies, validating, mutating int, onError v1.FailurePolicyType) {
	none := v1.SideEffectClassNone
	v := &v1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: Generated}}
	for i := range validating {
		w := v1.ValidatingWebhook{Name: fmt.Sprintf("v%02d.generated.example.com", i)}
		if g.Corpus != nil && chance(g.Rand, 5) {
			w = g.corpusWebhook(w.Name)
			w.FailurePolicy = failurePolicy(onError)
		} else {
			w.Rules, w.MatchPolicy = rules(g.Rand), matchPolicy(g.Rand)
			w.NamespaceSelector, w.ObjectSelector = namespaceSelector(g.Rand), objectSelector(g.Rand)
			w.MatchConditions, w.FailurePolicy = g.webhookConditions(w.Name, onError)
		}
		w.SideEffects, w.AdmissionReviewVersions = &none, []string{"v1"}
		v.Webhooks = append(v.Webhooks, w)
	}
	m := &v1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: Generated}}
	for i := range mutating {
		w := v1.MutatingWebhook{
			Name: fmt.Sprintf("m%02d.generated.example.com", i), Rules: rules(g.Rand), MatchPolicy: matchPolicy(g.Rand),
			NamespaceSelector: namespaceSelector(g.Rand), ObjectSelector: objectSelector(g.Rand),
			SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}
		w.MatchConditions, w.FailurePolicy = g.webhookConditions(w.Name, onError)
		m.Webhooks = append(m.Webhooks, w)
	}
	p.ValidatingWebhooks, p.MutatingWebhooks = append(p.ValidatingWebhooks, v), append(p.MutatingWebhooks, m)
}

// webhookConditions draws match conditions and a failure policy that suits them: where nothing may refuse a request,
// only conditions that cannot fail go with Fail.
func (g Policies) webhookConditions(name string, onError v1.FailurePolicyType) ([]v1.MatchCondition, *v1.FailurePolicyType) {
	switch {
	case onError == v1.Fail:
		return conditions(g.Rand, name, false, 2), failurePolicy(v1.Fail)
	case chance(g.Rand, 2):
		return conditions(g.Rand, name, false, 0), failurePolicy(v1.Fail)
	}
	return conditions(g.Rand, name, false, 4), failurePolicy(v1.Ignore)
}

// paramKinds are the kinds of parameters that policies take; the last one does not exist.
var paramKinds = []v1.ParamKind{
	{APIVersion: "v1", Kind: "ConfigMap"}, {APIVersion: "example.com/v1", Kind: "Widget"},
	{APIVersion: "example.com/v1", Kind: "Gadget"}, {APIVersion: "example.com/v1", Kind: "Nothing"},
}

// addValidating adds a validating policy with a binding or two. Warnings show errors of match conditions even under
// Fail, but an error of the configuration would refuse the request, so that policies with parameters have Ignore there.
func (g Policies) addValidating(p *oracle.Policies, i int, action v1.ValidationAction) {
	name := fmt.Sprintf("p%02d", i)
	policy := &v1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}}
	spec := &policy.Spec
	if g.Corpus != nil && chance(g.Rand, 3) {
		*spec = g.corpusPolicy(name)
	} else {
		spec.MatchConstraints = match(g.Rand, true)
		if chance(g.Rand, 4) || action == v1.Deny && chance(g.Rand, 2) {
			kind := pick(g.Rand, paramKinds...)
			spec.ParamKind = &kind
		}
		spec.MatchConditions = conditions(g.Rand, name, spec.ParamKind != nil, 3)
	}
	spec.Validations = oracle.AlwaysFails()
	spec.FailurePolicy = failurePolicy(pick(g.Rand, v1.Fail, v1.Fail, v1.Fail, v1.Ignore))
	if spec.ParamKind != nil && action == v1.Warn {
		spec.FailurePolicy = failurePolicy(v1.Ignore)
	}
	p.ValidatingPolicies = append(p.ValidatingPolicies, policy)
	bindings := 1
	if chance(g.Rand, 6) {
		bindings = 2
	}
	for j := range bindings {
		b := &v1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, j)}}
		b.Spec = v1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name, ValidationActions: []v1.ValidationAction{action}, ParamRef: g.paramRef(spec.ParamKind)}
		if chance(g.Rand, 2) {
			b.Spec.MatchResources = match(g.Rand, false)
		}
		p.ValidatingBindings = append(p.ValidatingBindings, b)
	}
}

// paramRef draws a reference to parameters, which may not exist; a binding may also have none.
func (g Policies) paramRef(kind *v1.ParamKind) *v1.ParamRef {
	if kind == nil || chance(g.Rand, 6) {
		return nil
	}
	action := pick(g.Rand, v1.AllowAction, v1.DenyAction)
	ref := &v1.ParamRef{ParameterNotFoundAction: &action}
	if kind.Kind != "Gadget" && chance(g.Rand, 2) {
		ref.Namespace = pick(g.Rand, "prod", "dev", "policy", "ghost")
	}
	if chance(g.Rand, 2) {
		ref.Name = pick(g.Rand, "one", "two", "web", "missing")
		return ref
	}
	ref.Selector = &metav1.LabelSelector{MatchLabels: labels.Set{"param": pick(g.Rand, "yes", "yes", "no")}}
	if chance(g.Rand, 4) {
		ref.Selector = &metav1.LabelSelector{}
	}
	return ref
}

// addUnbound adds a policy without a binding and a binding without its policy.
func (g Policies) addUnbound(p *oracle.Policies) {
	p.ValidatingPolicies = append(p.ValidatingPolicies, &v1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: "unbound"},
		Spec:       v1.ValidatingAdmissionPolicySpec{MatchConstraints: match(g.Rand, true), Validations: oracle.AlwaysFails()},
	})
	p.ValidatingBindings = append(p.ValidatingBindings, &v1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "dangling"},
		Spec:       v1.ValidatingAdmissionPolicyBindingSpec{PolicyName: "missing", ValidationActions: []v1.ValidationAction{v1.Warn}},
	})
}

// addMutating adds a mutating policy with its binding.
func (g Policies) addMutating(p *oracle.Policies, i int, onError v1.FailurePolicyType, as v1.MatchPolicyType) {
	name := fmt.Sprintf("m%02d", i)
	policy := &v1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}}
	spec := &policy.Spec
	operations := some(g.Rand, v1.Create, v1.Update, v1.Connect)
	if chance(g.Rand, 3) {
		operations = []v1.OperationType{v1.OperationAll}
	}
	spec.MatchConstraints = match(g.Rand, true, operations...)
	spec.MatchConstraints.MatchPolicy = &as
	if chance(g.Rand, 4) {
		kind := pick(g.Rand, paramKinds...)
		spec.ParamKind = &kind
	}
	fails := 4
	if onError == v1.Fail {
		fails = 2
	}
	spec.MatchConditions = conditions(g.Rand, name, spec.ParamKind != nil, fails)
	spec.FailurePolicy, spec.ReinvocationPolicy = failurePolicy(onError), v1.NeverReinvocationPolicy
	spec.Mutations = oracle.Marks(name)
	p.MutatingPolicies = append(p.MutatingPolicies, policy)
	b := &v1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name + "-0"}}
	b.Spec = v1.MutatingAdmissionPolicyBindingSpec{PolicyName: name, ParamRef: g.paramRef(spec.ParamKind)}
	if chance(g.Rand, 2) {
		b.Spec.MatchResources = match(g.Rand, false, operations...)
	}
	p.MutatingBindings = append(p.MutatingBindings, b)
}

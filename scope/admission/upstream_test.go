package admission_test

import (
	"context"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	vap "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/ambit-k8s/ambit/scope"
)

// evaluated is the message of a validation that always fails: seeing it means that the
// policy was evaluated.
const evaluated = "EVALUATED"

// upstream is the API server's own admission code over the same cluster.
type upstream struct {
	webhooks   *validating.Plugin
	matcher    *matching.Matcher
	interfaces admission.ObjectInterfaces
	conditions celplugin.ConditionCompiler
}

func newUpstream(facts *scope.Facts) *upstream {
	client := fake.NewSimpleClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	store := factory.Core().V1().Namespaces().Informer().GetStore()
	for _, ns := range facts.Namespaces.(namespaces).byName {
		if err := store.Add(ns); err != nil {
			panic(err)
		}
	}
	plugin, err := validating.NewValidatingAdmissionWebhook(nil)
	if err != nil {
		panic(err)
	}
	plugin.SetExternalKubeClientSet(client)
	plugin.SetExternalKubeInformerFactory(factory)
	plugin.SetUnconditionalAuthorizer(facts.Authorizer)
	return &upstream{
		webhooks: plugin,
		matcher:  matching.NewMatcher(factory.Core().V1().Namespaces().Lister(), client),
		interfaces: &admission.RuntimeObjectInterfaces{
			ObjectCreater: creater{}, ObjectTyper: scheme.Scheme, ObjectDefaulter: scheme.Scheme, ObjectConvertor: converter{scheme.Scheme},
			EquivalentResourceMapper: facts.Resources.Equivalents(),
		},
		conditions: celplugin.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())),
	}
}

// creater and converter convert custom resources as their server does, by rewriting the
// apiVersion, and built-in kinds not at all: their conversions are in no library.
type creater struct{}

func (creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if o, err := scheme.Scheme.New(kind); err == nil {
		return o, nil
	}
	return &unstructured.Unstructured{}, nil
}

type converter struct{ runtime.ObjectConvertor }

func (c converter) Convert(in, out, ctx any) error {
	from, ok := in.(*unstructured.Unstructured)
	if !ok {
		return c.ObjectConvertor.Convert(in, out, ctx)
	}
	from.DeepCopyInto(out.(*unstructured.Unstructured))
	return nil
}

// versions makes versioned attributes as the webhook dispatcher does.
type versions struct {
	attr admission.Attributes
	o    admission.ObjectInterfaces
}

func (v versions) VersionedAttribute(kind schema.GroupVersionKind) (*admission.VersionedAttributes, error) {
	return admission.NewVersionedAttributes(v.attr, kind, v.o)
}

// verdict is what upstream did.
type verdict struct {
	outcome scope.Outcome
	effect  scope.Effect
	kind    schema.GroupVersionKind
	err     error
}

// webhook asks ShouldCallHook, behind the exemptions of the plugin.
func (u *upstream) webhook(w v1.ValidatingWebhook, attr admission.Attributes) verdict {
	if rules.IsExemptAdmissionConfigurationResource(attr) || attr.GetResource().Resource == "tokenreviews" {
		return verdict{outcome: scope.Excluded, effect: scope.NotCalled}
	}
	accessor := webhook.NewValidatingWebhookAccessor("uid", "config", &w)
	invocation, status := u.webhooks.ShouldCallHook(context.Background(), accessor, attr, u.interfaces, versions{attr, u.interfaces})
	switch {
	case status != nil:
		return verdict{outcome: scope.Error, effect: scope.Rejected, err: status}
	case invocation != nil:
		return verdict{outcome: scope.Included, effect: scope.Called, kind: invocation.Kind}
	}
	return verdict{outcome: scope.Excluded, effect: scope.NotCalled}
}

// policy runs the dispatcher of ValidatingAdmissionPolicies with one policy and binding.
func (u *upstream) policy(p *v1.ValidatingAdmissionPolicy, b *v1.ValidatingAdmissionPolicyBinding, attr admission.Attributes, facts *scope.Facts) verdict {
	group := attr.GetResource().Group
	if group == "authentication.k8s.io" || group == "admissionregistration.k8s.io" && strings.Contains(attr.GetResource().Resource, "polic") {
		return verdict{outcome: scope.Excluded, effect: scope.NotEvaluated}
	}
	declared := celplugin.OptionalVariableDeclarations{HasAuthorizer: true}
	var matcher matchconditions.Matcher
	if len(p.Spec.MatchConditions) > 0 {
		accessors := make([]celplugin.ExpressionAccessor, len(p.Spec.MatchConditions))
		for i := range p.Spec.MatchConditions {
			accessors[i] = (*matchconditions.MatchCondition)(&p.Spec.MatchConditions[i])
		}
		matcher = matchconditions.NewMatcher(u.conditions.CompileCondition(accessors, declared, environment.StoredExpressions), p.Spec.FailurePolicy, "policy", "validate", p.Name)
	}
	always := []celplugin.ExpressionAccessor{&vap.ValidationCondition{Expression: "false", Message: evaluated}}
	nothing := u.conditions.CompileCondition(nil, declared, environment.StoredExpressions)
	validator := vap.NewValidator(u.conditions.CompileCondition(always, declared, environment.StoredExpressions), matcher, nothing, u.conditions.CompileCondition([]celplugin.ExpressionAccessor{nil}, declared, environment.StoredExpressions), p.Spec.FailurePolicy, nil)
	dispatcher := vap.NewDispatcher(facts.Authorizer, generic.NewPolicyMatcher(u.matcher))
	err := dispatcher.Dispatch(context.Background(), attr, u.interfaces, []vap.PolicyHook{{Policy: p, Bindings: []*v1.ValidatingAdmissionPolicyBinding{b}, Evaluator: validator}})
	switch {
	case err == nil:
		return verdict{outcome: scope.Excluded, effect: scope.NotEvaluated}
	case strings.Contains(err.Error(), evaluated):
		return verdict{outcome: scope.Included, effect: scope.Evaluated}
	}
	return verdict{outcome: scope.Error, effect: scope.Rejected, err: err}
}

// unconvertible reports an error that upstream itself would not have: the library has
// no conversions between versions of built-in kinds.
func unconvertible(err error) bool {
	return err != nil && !errors.IsNotFound(err) && (strings.Contains(err.Error(), "converting (") || strings.Contains(err.Error(), "failed to convert object version"))
}

// versionsOnce remembers versioned attributes, as the dispatchers do.
type versionsOnce struct {
	versions
	known map[schema.GroupVersionKind]*admission.VersionedAttributes
}

func (v *versionsOnce) VersionedAttribute(kind schema.GroupVersionKind) (*admission.VersionedAttributes, error) {
	if known, ok := v.known[kind]; ok {
		return known, nil
	}
	made, err := v.versions.VersionedAttribute(kind)
	if v.known == nil {
		v.known = map[schema.GroupVersionKind]*admission.VersionedAttributes{}
	}
	v.known[kind] = made
	return made, err
}

package admission

import (
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// entry is what a validating and a mutating webhook have in common.
type entry struct {
	field             string
	name              string
	rules             []v1.RuleWithOperations
	matchPolicy       *v1.MatchPolicyType
	failurePolicy     *v1.FailurePolicyType
	namespaceSelector *metav1.LabelSelector
	objectSelector    *metav1.LabelSelector
	conditions        []v1.MatchCondition
	sideEffects       *v1.SideEffectClass
}

func (c *Compiler) validatingWebhooks(written *v1.ValidatingWebhookConfiguration) []*scope.Policy {
	stored := written.DeepCopy()
	DefaultValidatingWebhooks(stored)
	policies := make([]*scope.Policy, len(stored.Webhooks))
	for i, w := range stored.Webhooks {
		p := c.webhook(entry{fmt.Sprintf("webhooks[%d]", i), w.Name, w.Rules, w.MatchPolicy, w.FailurePolicy, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions, w.SideEffects})
		p.Kind, p.Name, p.Phase, p.Source = ValidatingWebhookConfiguration, stored.Name, scope.ValidatingWebhooks, written
		policies[i] = p
	}
	return policies
}

func (c *Compiler) mutatingWebhooks(written *v1.MutatingWebhookConfiguration) []*scope.Policy {
	stored := written.DeepCopy()
	DefaultMutatingWebhooks(stored)
	policies := make([]*scope.Policy, len(stored.Webhooks))
	for i, w := range stored.Webhooks {
		p := c.webhook(entry{fmt.Sprintf("webhooks[%d]", i), w.Name, w.Rules, w.MatchPolicy, w.FailurePolicy, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions, w.SideEffects})
		p.Kind, p.Name, p.Phase, p.Source = MutatingWebhookConfiguration, stored.Name, scope.MutatingWebhooks, written
		policies[i] = p
	}
	return policies
}

// webhook builds the layers of one entry. A selector error refuses the request whatever
// the failure policy says; only an error of a match condition follows it
// (plugin/webhook/generic/webhook.go, ShouldCallHook).
func (c *Compiler) webhook(e entry) *scope.Policy {
	rules := &rule.Rules{Rules: unnamed(e.rules), MatchPolicy: e.matchPolicy, RulesField: e.field + ".rules"}
	conditions := c.conditions.Compile(e.conditions, e.field+".matchConditions", false)
	conditions.OnError = effectOf(e.failurePolicy)
	return &scope.Policy{
		Entry: e.name,
		Layers: []scope.Layer{
			&Exempt{webhook},
			rules.Place(scope.ResourceRules, scope.StageMatch, scope.Rejected),
			selector.NewNamespace(scope.NamespaceSelector, scope.StageMatch, selector.New(e.namespaceSelector, e.field+".namespaceSelector"), scope.Rejected),
			selector.NewObject(scope.ObjectSelector, scope.StageMatch, selector.New(e.objectSelector, e.field+".objectSelector"), scope.Rejected),
			conditions,
		},
		WhenIncluded:  called(e.sideEffects),
		WhenExcluded:  scope.NotCalled,
		FailurePolicy: string(*e.failurePolicy),
	}
}

// called is the effect of a webhook that matches: a dry run is refused if the webhook may
// have side effects, whatever the failure policy says
// (plugin/webhook/validating/dispatcher.go, callHook).
func called(sideEffects *v1.SideEffectClass) func(*scope.Request) scope.Effect {
	safe := sideEffects != nil && (*sideEffects == v1.SideEffectClassNone || *sideEffects == v1.SideEffectClassNoneOnDryRun)
	return func(r *scope.Request) scope.Effect {
		if r.DryRun && !safe {
			return scope.Rejected
		}
		return scope.Called
	}
}

// unnamed gives webhook rules the form of policy rules; webhooks have no resource names.
func unnamed(rules []v1.RuleWithOperations) []v1.NamedRuleWithOperations {
	named := make([]v1.NamedRuleWithOperations, len(rules))
	for i, r := range rules {
		named[i].RuleWithOperations = r
	}
	return named
}

// Package webhook has what all packages need that turn webhook entries into layers: the API server's defaults, its
// exemptions, and the steps in which it decides whether a webhook is called.
package webhook

import (
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// Entry is what a validating and a mutating webhook have in common, with the API server's defaults.
type Entry struct {
	// Field is the path of the entry in its configuration, such as webhooks[0].
	Field             string
	Name              string
	Rules             []v1.RuleWithOperations
	MatchPolicy       *v1.MatchPolicyType
	FailurePolicy     *v1.FailurePolicyType
	NamespaceSelector *metav1.LabelSelector
	ObjectSelector    *metav1.LabelSelector
	Conditions        []v1.MatchCondition
	SideEffects       *v1.SideEffectClass
	Client            v1.WebhookClientConfig
	TimeoutSeconds    *int32
	// Reinvocation is nil for a validating webhook.
	Reinvocation *v1.ReinvocationPolicyType
}

// Validating returns the entries of a configuration that has its defaults.
func Validating(c *v1.ValidatingWebhookConfiguration) []Entry {
	all := make([]Entry, len(c.Webhooks))
	for i, w := range c.Webhooks {
		all[i] = Entry{
			field(i), w.Name, w.Rules, w.MatchPolicy, w.FailurePolicy, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions,
			w.SideEffects, w.ClientConfig, w.TimeoutSeconds, nil,
		}
	}
	return all
}

// Mutating returns the entries of a configuration that has its defaults.
func Mutating(c *v1.MutatingWebhookConfiguration) []Entry {
	all := make([]Entry, len(c.Webhooks))
	for i, w := range c.Webhooks {
		all[i] = Entry{
			field(i), w.Name, w.Rules, w.MatchPolicy, w.FailurePolicy, w.NamespaceSelector, w.ObjectSelector, w.MatchConditions,
			w.SideEffects, w.ClientConfig, w.TimeoutSeconds, w.ReinvocationPolicy,
		}
	}
	return all
}

func field(i int) string { return fmt.Sprintf("webhooks[%d]", i) }

// Layers are the steps of one entry in the order in which people are taught them.
type Layers struct {
	Exempt     Exempt
	Rules      *rule.Rules
	Namespace  *selector.Namespace
	Object     *selector.Object
	Conditions *condition.Conditions
}

// Layers builds the layers of the entry. A selector error refuses the request whatever the failure policy says; only an
// error of a match condition follows it (plugin/webhook/generic/webhook.go, ShouldCallHook).
func (e Entry) Layers(c *condition.Compiler) Layers {
	rules := &rule.Rules{Rules: unnamed(e.Rules), MatchPolicy: e.MatchPolicy, RulesField: e.Field + ".rules"}
	conditions := c.Compile(e.Conditions, e.Field+".matchConditions", false)
	conditions.OnError = EffectOf(e.FailurePolicy)
	namespace := selector.New(e.NamespaceSelector, e.Field+".namespaceSelector")
	object := selector.New(e.ObjectSelector, e.Field+".objectSelector")
	return Layers{
		Rules:      rules.Place(scope.ResourceRules, scope.StageMatch, scope.Rejected),
		Namespace:  selector.NewNamespace(scope.NamespaceSelector, scope.StageMatch, namespace, scope.Rejected),
		Object:     selector.NewObject(scope.ObjectSelector, scope.StageMatch, object, scope.Rejected),
		Conditions: conditions,
	}
}

// List returns the layers in order.
func (l Layers) List() []scope.Layer {
	return []scope.Layer{l.Exempt, l.Rules, l.Namespace, l.Object, l.Conditions}
}

// Called is the effect of a webhook that matches: a dry run is refused if the webhook may have side effects, whatever
// the failure policy says (plugin/webhook/validating/dispatcher.go, callHook).
func (e Entry) Called(r *scope.Request) scope.Effect {
	if r.DryRun && !e.SafeInDryRun() {
		return scope.Rejected
	}
	return scope.Called
}

// SafeInDryRun reports whether the webhook says that it has no side effects in a dry run.
func (e Entry) SafeInDryRun() bool {
	return e.SideEffects != nil && (*e.SideEffects == v1.SideEffectClassNone || *e.SideEffects == v1.SideEffectClassNoneOnDryRun)
}

// EffectOf is what an error does under a failure policy.
func EffectOf(f *v1.FailurePolicyType) scope.Effect {
	if f != nil && *f == v1.Ignore {
		return scope.Skipped
	}
	return scope.Rejected
}

// unnamed gives webhook rules the form of policy rules; webhooks have no resource names.
func unnamed(rules []v1.RuleWithOperations) []v1.NamedRuleWithOperations {
	named := make([]v1.NamedRuleWithOperations, len(rules))
	for i, r := range rules {
		named[i].RuleWithOperations = r
	}
	return named
}

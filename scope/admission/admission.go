// Package admission turns webhook configurations and admission policies with their
// bindings into policies.
package admission

import (
	"cmp"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
)

// Objects are the webhook configurations, policies and bindings of a cluster. Compile
// applies the API server's defaults to copies of them.
type Objects struct {
	ValidatingWebhooks []*v1.ValidatingWebhookConfiguration
	MutatingWebhooks   []*v1.MutatingWebhookConfiguration
	ValidatingPolicies []*v1.ValidatingAdmissionPolicy
	ValidatingBindings []*v1.ValidatingAdmissionPolicyBinding
	MutatingPolicies   []*v1.MutatingAdmissionPolicy
	MutatingBindings   []*v1.MutatingAdmissionPolicyBinding
}

// The kinds of configuration objects that policies are made of.
const (
	ValidatingWebhookConfiguration = "ValidatingWebhookConfiguration"
	MutatingWebhookConfiguration   = "MutatingWebhookConfiguration"
	ValidatingAdmissionPolicy      = "ValidatingAdmissionPolicy"
	MutatingAdmissionPolicy        = "MutatingAdmissionPolicy"
)

// Compiler compiles policies and remembers compiled CEL expressions, so that compiling
// again after a small change is cheap. It is safe for concurrent use.
type Compiler struct{ conditions *condition.Compiler }

// NewCompiler makes a compiler.
func NewCompiler() *Compiler { return &Compiler{conditions: condition.NewCompiler()} }

// Compile returns one policy per webhook entry and one per admission policy and binding,
// also for a policy without a binding and for a binding without its policy. They come in
// the order in which a request meets them; the API server orders webhooks by the name of
// their configuration and leaves the order of admission policies open.
func (c *Compiler) Compile(o Objects) []*scope.Policy {
	var all []*scope.Policy
	all = append(all, c.policies(mutatingFamily(o))...)
	for _, w := range byName(o.MutatingWebhooks) {
		all = append(all, c.mutatingWebhooks(w)...)
	}
	all = append(all, c.policies(validatingFamily(o))...)
	for _, w := range byName(o.ValidatingWebhooks) {
		all = append(all, c.validatingWebhooks(w)...)
	}
	return all
}

type object interface{ GetName() string }

// byName sorts a copy: what a caller hands in stays as it is.
func byName[T object](objects []T) []T {
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return sorted
}

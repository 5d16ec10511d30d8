package hazard

import (
	"cmp"
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// Ref names a policy.
type Ref struct {
	Kind string `json:"kind"`
	// Namespace is empty for a policy that is in none.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Finding is one hazard at one place, in the words of the contract.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Kind     string   `json:"kind"`
	// Namespace is empty for a policy that is in none.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Entry is the webhook or the binding that the finding is about; empty for one about an
	// admission policy itself. For a policy behind a webhook it is the webhook that serves it.
	Entry string `json:"entry"`
	// Field is a path in the policy as written; in the binding, for what only bindings have.
	Field   string `json:"field"`
	Message string `json:"message"`
	// Why says why it matters.
	Why string `json:"why"`
	// Objects counts the objects that it concerns now; nil if that is not known.
	Objects *int   `json:"objects,omitempty"`
	Fix     string `json:"fix"`
	// Also are the other policies that it concerns as much.
	Also []Ref `json:"also,omitempty"`
	// Policy is the policy in which it was found; nil for what is in none, as in the
	// configuration of an engine.
	Policy *scope.Policy `json:"-"`
}

// ref names the policy that a finding is in.
func (f *Finding) ref() Ref { return Ref{f.Kind, f.Namespace, f.Name} }

func refOf(p *scope.Policy) Ref { return Ref{p.Kind, p.Namespace, p.Name} }

// Concerns reports whether a finding is about a policy: in it, or about others and this one as
// much.
func (f *Finding) Concerns(p *scope.Policy) bool {
	return f.Policy == p || slices.Contains(f.Also, refOf(p))
}

// fill completes a finding with what its rule says of all.
func (f *Finding) fill(rule *Rule) {
	f.Rule, f.Why, f.Fix = rule.Name, cmp.Or(f.Why, rule.Why), cmp.Or(f.Fix, rule.Fix)
}

// Package hazard finds scopes that do not do what their author meant: selectors that
// cannot narrow, rules that never match, conditions that refuse whole classes of requests.
//
// It reads compiled policies and their layers. Where it says that something never or always
// happens, that is decided by the layers themselves, asked about requests of which all is
// left open that may differ; what they cannot tell is no finding. Each rule is a small file
// and one line in the registry.
package hazard

import (
	"cmp"
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// Severity is how sure it is that somebody should act.
type Severity string

// An error refuses requests or keeps a policy from ever working; a warning is a scope that
// very likely differs from what was meant; an info is worth knowing and may be on purpose.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// rank orders severities, the gravest first.
func (s Severity) rank() int { return slices.Index([]Severity{Error, Warning, Info}, s) }

// Document is the answer of "ambit lint", as the contract has it.
type Document struct {
	Findings []Finding `json:"findings"`
}

// Input is what hazards are found in.
type Input struct {
	Policies []*scope.Policy
	Facts    *scope.Facts
	// Namespaces are those that are known. Facts says whether there may be others.
	Namespaces []*corev1.Namespace
	// Complete says that what is not among the policies and facts does not exist, as when a
	// running cluster was read. Manifests may be a part of what will be applied: then the
	// absence of all bindings, or of a custom resource, says nothing.
	Complete bool
	// Unread and Undiscovered are what Complete does not hold for: kinds of which there may be
	// more objects, and group versions of which there may be more resources.
	Unread       []schema.GroupKind
	Undiscovered []schema.GroupVersion
	// Objects may be nil.
	Objects Objects
	// Kinds are those that know hazards of their own.
	Kinds []Kind
}

// Objects counts the objects that exist.
type Objects interface {
	// Count returns how many objects a query selects; known is false if some that it may
	// select were not read.
	Count(Query) (n int, known bool)
}

// Query selects objects. Its functions depend on their argument alone, so that each needs
// to be asked only once for each resource, namespace and label set.
type Query struct {
	Resource func(schema.GroupVersionResource) bool
	// Namespace reports whether the objects in a namespace are meant, and whether that is
	// known. It gets the empty name for an object outside of namespaces; a Namespace is in
	// itself, as for the API server.
	Namespace func(name string) (in, known bool)
	Labels    func(labels.Set) bool
}

// Rule is one kind of hazard.
type Rule struct {
	// Name is part of the contract.
	Name string
	// Summary says in one sentence what is wrong, Why why it matters, Fix what to do about it.
	Summary, Why, Fix string
	// Unreached says that what the rule finds concerns all objects that the policy is for; they
	// are counted. It is of use to a Kind.
	Unreached bool
	// Same are rules for all kinds that say the same of a webhook which was written from the
	// policy. It is of use to a Kind.
	Same []string

	// anyKind says that the rule looks at rules and selectors alone, which mean the same
	// whatever decides about the policy.
	anyKind bool
	// byHand says that what the rule finds is no matter in what a controller writes.
	byHand bool
	find   func(*run)
}

// Find returns all findings: those of the gravest severity first, then in the order of the
// policies. It stops early, with what it has, when the context is cancelled.
func Find(ctx context.Context, in Input) []Finding {
	r := newRun(ctx, in)
	for i := range registry {
		if ctx.Err() != nil {
			break
		}
		r.rule = &registry[i]
		r.rule.find(r)
	}
	general := len(r.findings)
	for _, k := range in.Kinds {
		if ctx.Err() != nil {
			break
		}
		r.ofKind(k)
	}
	r.settle(general)
	slices.SortStableFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(r.position[a.Policy], r.position[b.Policy]))
	})
	return r.findings
}

// Rules returns the rules for all kinds and those of some, in the order of the documentation.
func Rules(kinds ...Kind) []Rule {
	all := slices.Clone(registry)
	for _, k := range kinds {
		all = append(all, k.HazardRules()...)
	}
	return all
}

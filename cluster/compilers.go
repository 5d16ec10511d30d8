package cluster

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// compilers are the kinds of policy that Ambit knows. They remember what they compiled, so each source keeps its own.
type compilers []scope.Compiler

// newCompilers registers the kinds of policy, in the order in which a request meets them: a new kind is one line here.
func newCompilers() compilers {
	return compilers{
		flow.Compiler{},
		admission.NewCompiler(),
	}
}

// kinds are the kinds of object that policies are made of.
func (c compilers) kinds() []scope.ObjectKind {
	var kinds []scope.ObjectKind
	for _, one := range c {
		kinds = append(kinds, one.Kinds()...)
	}
	return kinds
}

// compile makes the policies.
func (c compilers) compile(o scope.Objects) *scope.Set {
	var policies []*scope.Policy
	for _, one := range c {
		policies = append(policies, one.Policies(o)...)
	}
	return scope.NewSet(policies)
}

// paramKinds returns the kinds of the parameters that policies take, each once.
func (c compilers) paramKinds(o scope.Objects) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, one := range c {
		takes, ok := one.(scope.Parametrised)
		if !ok {
			continue
		}
		for _, kind := range takes.ParamKinds(o) {
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

// preset puts the objects that every API server has by itself where there are none of their kind, and returns the kinds
// that were empty.
func (c compilers) preset(o scope.Objects) (empty []scope.ObjectKind) {
	for _, one := range c {
		has, ok := one.(scope.Preset)
		if !ok {
			continue
		}
		defaults := map[schema.GroupKind][]runtime.Object{}
		for _, object := range has.Defaults() {
			kind := object.GetObjectKind().GroupVersionKind().GroupKind()
			defaults[kind] = append(defaults[kind], object)
		}
		for _, k := range one.Kinds() {
			if len(o.Of[k.GroupKind]) == 0 && len(defaults[k.GroupKind]) > 0 {
				o.Of[k.GroupKind], empty = defaults[k.GroupKind], append(empty, k)
			}
		}
	}
	return empty
}

// countPolicies counts the objects that were read of each kind that policies are made of.
func countPolicies(o scope.Objects) []Count {
	counts := make([]Count, 0, len(policyKinds))
	for _, k := range policyKinds {
		counts = append(counts, Count{k.Plural, len(o.Of[k.GroupKind])})
	}
	return counts
}

package cluster

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/admission"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// compilers are the kinds of policy that Ambit knows. They remember what they compiled, so each source keeps its own.
type compilers []scope.Compiler

// newCompilers registers the kinds of policy, in the order in which a request meets them: a new kind is one line here.
func newCompilers(kyvernoRelease release.Release) compilers {
	return compilers{
		flow.Compiler{},
		admission.NewCompiler(),
		kyverno.NewCompiler(kyvernoRelease),
	}
}

// kinds are the kinds of object that policies are made of, each once: two kinds of policy may be made of the same objects.
func (c compilers) kinds() []scope.ObjectKind {
	var kinds []scope.ObjectKind
	for _, one := range c {
		for _, k := range one.Kinds() {
			if !slices.ContainsFunc(kinds, func(known scope.ObjectKind) bool { return known.GroupKind == k.GroupKind }) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// beside are the kinds that come from a CustomResourceDefinition and make policies together with a kind.
func (c compilers) beside(gk schema.GroupKind) []scope.ObjectKind {
	var custom []scope.ObjectKind
	for _, one := range c {
		kinds := one.Kinds()
		if slices.ContainsFunc(kinds, func(k scope.ObjectKind) bool { return k.GroupKind == gk }) {
			for _, k := range kinds {
				if k.Custom {
					custom = append(custom, k)
				}
			}
		}
	}
	return custom
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

// countPolicies counts the objects that were read of each kind that policies are made of. That there are none is worth
// a line only of the kinds that every API server has.
func countPolicies(o scope.Objects) []Count {
	counts := make([]Count, 0, len(policyKinds))
	for _, k := range policyKinds {
		n := len(o.Of[k.GroupKind])
		if n == 0 && optional(k) {
			continue
		}
		counts = append(counts, Count{k.Plural, n})
	}
	return counts
}

// optional reports whether there need not be any object of a kind, and none is no news.
func optional(k scope.ObjectKind) bool { return k.Custom || k.Named != "" }

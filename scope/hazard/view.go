package hazard

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// view is a policy with its layers by name.
type view struct {
	*scope.Policy
	source
	// own is the match of the policy or webhook, bound that of the binding. They are nil if
	// the one is missing, or the other narrows nothing.
	own, bound *part
	conditions *condition.Conditions
	exemption  scope.Layer
	// match is set for a policy that something behind a webhook decides about.
	match *Match

	world *world
	cases []*reached
	// owned are the sorts of request that the policy's own rules match.
	owned []*reached
}

// part is one set of rules and selectors: that of a webhook or policy, or of a binding.
type part struct {
	rules     *rule.Rules
	namespace *selector.Namespace
	object    *selector.Object
	inBinding bool
}

func newView(p *scope.Policy, w *world) *view {
	v := &view{Policy: p, source: sourceOf(p), world: w}
	for _, layer := range p.Layers {
		switch l := layer.(type) {
		case *rule.Rules:
			v.part(l.Name() == scope.BindingResourceRules).rules = l
		case *selector.Namespace:
			v.part(l.Name() == scope.BindingNamespaceSelector).namespace = l
		case *selector.Object:
			v.part(l.Name() == scope.BindingObjectSelector).object = l
		case *condition.Conditions:
			v.conditions = l
		default:
			if l.Name() == scope.Exemption {
				v.exemption = l
			}
		}
	}
	for _, k := range w.in.Kinds {
		if m := k.HazardMatch(p); m != nil {
			v.take(m)
		}
	}
	return v
}

func (v *view) part(inBinding bool) *part {
	if inBinding {
		if v.bound == nil {
			v.bound = &part{inBinding: true}
		}
		return v.bound
	}
	if v.own == nil {
		v.own = &part{}
	}
	return v.own
}

// parts are the policy's match and the binding's, as far as they are there whole.
func (v *view) parts() []*part {
	var all []*part
	for _, p := range []*part{v.own, v.bound} {
		if p != nil && p.rules != nil && p.namespace != nil && p.object != nil && p.rules.Broken == nil {
			all = append(all, p)
		}
	}
	return all
}

// whole reports whether the policy has all that its scope is made of.
func (v *view) whole() bool {
	return len(v.parts()) > 0 && v.parts()[0] == v.own && (v.isWebhook() || v.BindingSource != nil)
}

// inEffect reports whether the policy is evaluated for what it matches, as far as can be
// told: the binding of one among manifests may be somewhere else.
func (v *view) inEffect() bool {
	return v.own != nil && slices.Contains(v.parts(), v.own) && (v.whole() || !v.world.in.allBindings(v.Kind))
}

// isWebhook reports whether an entry of the policy is a webhook and no binding.
func (v *view) isWebhook() bool { return v.client != nil }

// fails reports whether an error refuses the request.
func (v *view) fails() bool { return v.FailurePolicy == string(v1.Fail) }

// field is the path of something beside the rules of the policy.
func (v *view) field(name string) string {
	if base, ok := strings.CutSuffix(v.own.rules.RulesField, "rules"); ok && v.isWebhook() {
		return base + name
	}
	return "spec." + name
}

// selectsBadly reports whether a selector does not compile; every request is refused then.
func (v *view) selectsBadly() bool {
	return v.selects().Namespace.Err() != nil || v.selects().Object.Err() != nil
}

// selects is what the policy and its binding select by labels.
func (v *view) selects() selector.Pair {
	if v.match != nil {
		return selector.Pair{Namespace: v.match.Namespace.Selector.Extent(), Object: v.match.Object.Selector.Extent()}
	}
	return selector.PairOf(v.Policy)
}

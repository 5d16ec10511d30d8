package legacy

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy/rules"
)

// group is a policy of some of a policy's rules.
type group struct {
	policy *api.Legacy
	// places are those of its rules in the whole policy.
	places []int
}

// groups divides the validating rules of a policy into those that enforce and those that audit. The validating half
// of the engine evaluates the two apart, each as a policy of these rules alone, so that other rules may be derived
// than from the whole (pkg/policycache/cache.go, checkValidationFailureActionOverrides). There are none where that
// makes no difference, and where the whole policy is evaluated: with a webhook of its own, and with rules that check
// images. Where actions depend on the namespace, the policy is taken as a whole, too.
func groups(p *api.Legacy) []group {
	if FineGrained(p) || hasOverrides(p) {
		return nil
	}
	divided := map[bool]*group{}
	for i := range p.Spec.Rules {
		r := &rules.Rule{Rule: p.Spec.Rules[i]}
		if r.ChecksImages() || r.Validate["failureActionOverrides"] != nil {
			return nil
		}
		if !r.Validates() {
			continue
		}
		g := divided[enforces(p, r)]
		if g == nil {
			alone := *p
			alone.Spec.Rules, g = nil, &group{policy: &alone}
			divided[enforces(p, r)] = g
		}
		g.policy.Spec.Rules, g.places = append(g.policy.Spec.Rules, r.Rule), append(g.places, i)
	}
	var all []group
	for _, enforcing := range []bool{true, false} {
		g := divided[enforcing]
		if g == nil {
			continue
		}
		if len(g.places) == len(p.Spec.Rules) {
			return nil
		}
		all = append(all, *g)
	}
	return all
}

// enforces reports whether a validating rule refuses requests; the policy says so for rules that do not.
func enforces(p *api.Legacy, r *rules.Rule) bool {
	action, ok := r.Validate["failureAction"].(string)
	if !ok {
		action = p.Spec.FailureAction
	}
	return strings.EqualFold(action, "Enforce")
}

func hasOverrides(p *api.Legacy) bool {
	if p.Written == nil {
		return false
	}
	overrides, _, _ := unstructured.NestedSlice(p.Written.Object, "spec", "validationFailureActionOverrides")
	return len(overrides) > 0
}

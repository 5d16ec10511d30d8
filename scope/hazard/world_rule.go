package hazard

import (
	"encoding/json"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// only is a layer of one rule, with the match policy of the layer it is from.
func only(l *rule.Rules, rules ...v1.NamedRuleWithOperations) *rule.Rules {
	one := &rule.Rules{Rules: rules, MatchPolicy: l.MatchPolicy}
	return one.Place(scope.ResourceRules, scope.StageMatch, scope.Rejected)
}

// matchedSorts lists the sorts of request that rules match and that reach policies of the
// kind at all.
func (r *run) matchedSorts(v *view, l *rule.Rules) []*sort {
	key, err := json.Marshal([]any{v.Kind, l.Rules, l.Exclude, l.MatchPolicy, l.EmptyMatches})
	if err == nil {
		if known, ok := r.world.matched[string(key)]; ok {
			return known
		}
	}
	all := r.matchEach(v, l)
	if err == nil {
		r.world.matched[string(key)] = all
	}
	return all
}

func (r *run) matchEach(v *view, l *rule.Rules) []*sort {
	var all []*sort
	for _, s := range r.world.all {
		if _, ok := s.matchedBy(l, r.Facts, v.Phase); ok && !v.exempt(s) {
			all = append(all, s)
		}
	}
	return all
}

// parent is the resource that a subresource is of.
func (s *sort) parent() (resource.Resource, bool) {
	return s.world.facts.Resources.Find(s.GroupVersionResource, "")
}

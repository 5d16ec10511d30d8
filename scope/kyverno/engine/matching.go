package engine

import (
	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/autogen"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// matching is what a policy matches: as it is written, and as autogen extends it. Kyverno evaluates each variant like a
// policy of its own (vpol/engine/reconciler.go, Reconcile). They differ in their rules and conditions alone: a policy
// that is extended has neither an objectSelector nor exclude rules, and the namespaceSelector is the same in all.
type matching struct {
	namespace *Namespace
	object    *Object
	// variants begin with the policy as it is written.
	variants []*variant
}

// variant is a policy as it is written, or one that autogen derives from it.
type variant struct {
	// derived is the name that autogen gives it; empty for the policy as it is written.
	derived    string
	rules      *rule.Rules
	conditions []v1.MatchCondition
}

const matchField = "spec.matchConstraints"

func (r Room) newMatching(p *api.Policy) *matching {
	onError := r.onMatchError(p)
	match := p.Match()
	namespaces := selector.New(orEmpty(match.NamespaceSelector), matchField+".namespaceSelector")
	objects := selector.New(orEmpty(match.ObjectSelector), matchField+".objectSelector")
	byNamespace := selector.NewNamespace(scope.MatchNamespaceSelector, scope.StageEngine, namespaces, onError)
	byObject := selector.NewObject(scope.MatchObjectSelector, scope.StageEngine, objects, onError)
	m := &matching{namespace: &Namespace{byNamespace, generates(p.PolicyKind())}, object: &Object{byObject}}
	// Without matchConstraints policies that validate or generate match nothing (vpol/engine/engine.go, matchPolicy),
	// and the others everything that reaches them (api/policies.kyverno.io/v1beta1, GetMatchConstraints;
	// ivpol/engine/engine.go).
	everything := p.Spec.MatchConstraints != nil || mutates(p.PolicyKind()) || verifiesImages(p.PolicyKind())
	own := &rule.Rules{
		Rules: match.ResourceRules, Exclude: match.ExcludeResourceRules, EmptyMatches: everything, GeneratedNames: true,
		RulesField: matchField + ".resourceRules", ExcludeField: matchField + ".excludeResourceRules",
	}
	m.add("", own, p.Spec.MatchConditions, onError)
	derived, _ := autogen.Of(p, r.Release, r.Resources)
	for _, d := range derived {
		if d.Match == nil {
			continue
		}
		rules := &rule.Rules{Rules: d.Match.ResourceRules, RulesField: "autogen " + d.Name + " resourceRules"}
		m.add(d.Name, rules, d.Conditions, onError)
	}
	return m
}

func (m *matching) add(derived string, rules *rule.Rules, conditions []v1.MatchCondition, onError scope.Effect) {
	rules.Place(scope.MatchResourceRules, scope.StageEngine, onError)
	m.variants = append(m.variants, &variant{derived, rules, conditions})
}

// orEmpty stands for the engine's default: a selector that is not written selects everything (matching/criteria.go,
// getSelector).
func orEmpty(s *metav1.LabelSelector) *metav1.LabelSelector {
	if s == nil {
		return &metav1.LabelSelector{}
	}
	return s
}

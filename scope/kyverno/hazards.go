package kyverno

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno/engine"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	"github.com/ambit-k8s/ambit/scope/rule"
	"github.com/ambit-k8s/ambit/scope/selector"
)

var _ hazard.Kind = (*Compiler)(nil)

// HazardMatch implements hazard.Kind for policies that are written in CEL. The match and exclude blocks of the others
// are neither rules nor selectors.
func (c *Compiler) HazardMatch(p *scope.Policy) *hazard.Match {
	l := layersOf(p)
	if l.served == nil || l.rules == nil {
		return nil
	}
	m := &hazard.Match{
		Rules: written(l.rules.Written()), Namespace: l.namespace.Namespace, Object: l.object.Object, Named: l.rules,
		Exemption: l.exemption, Called: l.called(), Unreached: l.served.ride.none() || l.selection.Never() != "",
	}
	// A policy in a namespace is for this one alone, so that its namespaceSelector chooses among none.
	if p.Namespace != "" {
		all := everything(m.Namespace.Selector.Field)
		m.Namespace = selector.NewNamespace(m.Namespace.Name(), scope.StageEngine, all, scope.Rejected)
	}
	// To the engine an object that is not there has no labels, which keeps in what the webhook's selector keeps out.
	// What is said of selectors on objects is true only where each webhook has the policy's own.
	if !m.Called.Object.Implies(m.Object.Selector.Extent()) {
		all := everything(m.Object.Selector.Field)
		m.Object = selector.NewObject(m.Object.Name(), scope.StageEngine, all, scope.Rejected)
	}
	return m
}

// written are rules as the engine and the webhook see them together: the webhook takes all versions for one.
func written(r *rule.Rules) *rule.Rules {
	equivalent := v1.Equivalent
	all := &rule.Rules{
		Rules: r.Rules, Exclude: r.Exclude, MatchPolicy: &equivalent,
		EmptyMatches: r.EmptyMatches, GeneratedNames: r.GeneratedNames,
		RulesField: r.RulesField, ExcludeField: r.ExcludeField,
	}
	return all.Place(r.Name(), scope.StageEngine, scope.Rejected)
}

func everything(field string) *selector.Selector { return selector.New(&metav1.LabelSelector{}, field) }

// roomLayers are the layers of a policy that hazards are about.
type roomLayers struct {
	served    *Served
	exemption scope.Layer
	selection *engine.Selection
	namespace *engine.Namespace
	object    *engine.Object
	rules     *engine.Rules
}

func layersOf(p *scope.Policy) roomLayers {
	var all roomLayers
	for _, layer := range p.Layers {
		switch l := layer.(type) {
		case *Served:
			all.served = l
		case *Stop:
			if l.leg == exemption {
				all.exemption = l
			}
		case *engine.Selection:
			all.selection = l
		case *engine.Namespace:
			all.namespace = l
		case *engine.Object:
			all.object = l
		case *engine.Rules:
			all.rules = l
		}
	}
	return all
}

// called is what all webhooks of a policy select; everything where they do not select the same.
func (l roomLayers) called() selector.Pair {
	all := selector.Pair{Namespace: selector.Everything(), Object: selector.Everything()}
	for i, e := range l.served.entries() {
		switch one := selector.PairOf(e.policy); {
		case i == 0:
			all = one
		case one.Key() != all.Key():
			return selector.Pair{Namespace: selector.Everything(), Object: selector.Everything()}
		}
	}
	return all
}

// entries are the webhooks that may serve the policy, in all alternatives.
func (l *Served) entries() []*entry {
	var all []*entry
	for _, a := range l.ride.alternatives {
		all = append(all, a.entries...)
	}
	return all
}

const mend = "Kyverno writes this webhook and takes back what others change in it: change its policies, or webhooks in " +
	"the ConfigMap kyverno."

// WrittenFrom implements hazard.Kind: Kyverno writes the two configurations from its policies and its ConfigMap.
func (c *Compiler) WrittenFrom(p *scope.Policy, all []*scope.Policy) *hazard.Written {
	if !writes(p) {
		return nil
	}
	w := &hazard.Written{Fix: mend}
	same := func(e *entry) bool { return e.configuration == p.Name && e.Name == p.Entry }
	for _, one := range all {
		if l := layersOf(one).served; l != nil && slices.ContainsFunc(l.entries(), same) {
			w.From = append(w.From, one)
		}
	}
	return w
}

// writes reports whether Kyverno writes a webhook of the cluster.
func writes(p *scope.Policy) bool {
	switch p.Source.(type) {
	case *v1.ValidatingWebhookConfiguration:
		return p.Name == webhooks.ValidatingName
	case *v1.MutatingWebhookConfiguration:
		return p.Name == webhooks.MutatingName
	}
	return false
}

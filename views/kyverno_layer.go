package views

import (
	"maps"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/engine"
	"github.com/ambit-k8s/ambit/scope/kyverno/legacy"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// The two rooms that a request passes on its way to a policy of Kyverno.
const (
	firstRoom  = "In the API server: the webhook"
	secondRoom = "In Kyverno: the engine"
)

const (
	readsServed     = "asks which webhooks the cluster has · written by Kyverno"
	readsStop       = "of the webhook, as the API server asks it"
	readsFilters    = "reads kind, namespace, name and who asks · the ConfigMap of Kyverno, for all policies"
	readsSelection  = "reads the namespace of the request, and what Kyverno does with the policy at all"
	readsBlocks     = "reads the whole request · the policy's rules, in Kyverno"
	readsExceptions = "reads the whole request · PolicyExceptions, written by whoever may"
	readsEngineCEL  = "reads the whole request · CEL, in Kyverno"
)

// Excerpt is a part of a policy as it is written: where it stands, and what stands there.
type Excerpt struct{ Title, Field, Text string }

// isKyverno reports whether a policy is one of Kyverno's.
func isKyverno(p *scope.Policy) bool { return served(p) != nil }

// served is the layer by which a policy of Kyverno is known; nil for others.
func served(p *scope.Policy) *kyverno.Served {
	if len(p.Layers) > 0 {
		if s, ok := p.Layers[0].(*kyverno.Served); ok {
			return s
		}
	}
	return nil
}

// roomOf is the room in which a layer of a policy of Kyverno stands.
func roomOf(name scope.LayerName) string {
	if name.OfWebhook() {
		return firstRoom
	}
	return secondRoom
}

// inRoom is the title of a layer below the heading of its room, which says the first word already.
func inRoom(title string) string {
	for _, prefix := range []string{"Webhook: ", "Match: "} {
		if rest, ok := strings.CutPrefix(title, prefix); ok {
			return capital(rest)
		}
	}
	return title
}

// kyverno describes a layer of a policy of Kyverno.
func (v *Layer) kyverno(l scope.Layer) {
	switch l := l.(type) {
	case *kyverno.Served:
		v.served(l)
	case *kyverno.Stop:
		v.stop(l)
	case *engine.Filters:
		v.filters(l)
	case *engine.Selection:
		v.Reads, v.Passes = readsSelection, "Kyverno evaluates the policy for requests of admission."
		if never := l.Never(); never != "" {
			v.Narrows, v.Problem = true, never
		}
	case *engine.Namespace:
		v.OfNamespace, v.Reads, v.Passes = true, readsNamespace, "Every namespace passes."
		v.selector(l.Selector)
	case *engine.Object:
		v.OfObject, v.Reads, v.Passes = true, readsObject, "Every object passes."
		v.selector(l.Selector)
	case *engine.Rules:
		v.rules(l.Written())
		derived := l.Derived()
		for _, name := range slices.Sorted(maps.Keys(derived)) {
			v.Derived = append(v.Derived, newRules(derived[name].Rules)...)
		}
	case *engine.MatchConditions:
		v.Reads, v.Passes = readsEngineCEL, "There are no match conditions, so every request passes."
		v.Conditions = newConditions(l.Written())
		v.Narrows = len(v.Conditions) > 0
	case interface{ Blocks() []legacy.Block }:
		v.blocks(l.Blocks())
	case interface{ Exceptions() []string }:
		v.Reads, v.Passes, v.Named = readsExceptions, "No exception names the policy.", l.Exceptions()
		v.Narrows = len(v.Named) > 0
	}
}

func (v *Layer) served(l *kyverno.Served) {
	v.Reads = readsServed
	switch why, open := l.Without(); {
	case open != nil:
		v.Problem, v.Narrows = "It is not known "+open.Fact+".", true
	case why != "":
		v.Problem, v.Narrows = why, true
	default:
		v.Passes = "It rides on " + list(unique(l.Webhooks()), "and") + "."
	}
}

// stop describes a layer of the webhooks that a policy rides on. Rules of several webhooks add up. Where their selectors
// differ, there is nothing that holds for all of them.
func (v *Layer) stop(l *kyverno.Stop) {
	written := l.Written()
	if len(written) == 0 {
		v.Passes = "There is no webhook to ask."
		return
	}
	first := NewLayer(written[0])
	first.Name, first.Title, first.Letter = v.Name, v.Title, v.Letter
	for _, other := range written[1:] {
		o := NewLayer(other)
		if _, rules := other.(*rule.Rules); rules {
			first.Rules = append(first.Rules, o.Rules...)
			first.Narrows = first.Narrows || o.Narrows
		} else if !first.asksLike(o) {
			v.Reads, v.Narrows = first.Reads, true
			v.Passes = "The webhooks that it rides on ask for different things. The page Kyverno shows each of them."
			return
		}
	}
	*v = first
	if v.Reads == "" {
		v.Reads = readsStop
	}
}

// asksLike reports whether two layers of one sort have the same selector and the same conditions.
func (v *Layer) asksLike(o Layer) bool {
	if v.Selector != nil && o.Selector != nil {
		return selectorText(v.Selector.Written) == selectorText(o.Selector.Written)
	}
	return slices.EqualFunc(v.Conditions, o.Conditions, func(a, b Condition) bool {
		return a.Name == b.Name && slices.Equal(a.Code, b.Code)
	})
}

func (v *Layer) filters(l *engine.Filters) {
	v.Reads, v.Passes = readsFilters, "Nothing is filtered."
	c, known := l.Config()
	if !known {
		v.Problem = "The ConfigMap of Kyverno could not be read, so what it filters is not known."
		return
	}
	for _, f := range c.Filters {
		v.Named = append(v.Named, f.Written)
	}
	v.Excluded = slices.Concat(c.Excluded.Usernames, c.Excluded.Groups, c.Excluded.Roles, c.Excluded.ClusterRoles)
	v.Narrows = len(v.Named)+len(v.Excluded) > 0
}

func (v *Layer) blocks(all []legacy.Block) {
	v.Reads, v.Passes, v.Narrows = readsBlocks, "No rule excludes anything.", len(all) > 0
	for _, b := range all {
		v.Excerpts = append(v.Excerpts, Excerpt{Title: "rule " + b.Rule, Field: b.Field})
	}
}

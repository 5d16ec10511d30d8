package review

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/selector"
)

// rooms are the layers of a webhook by labels, each with the layer of the engine behind it that
// selects by the same labels.
var rooms = map[scope.LayerName]scope.LayerName{
	scope.WebhookNamespaceSelector: scope.MatchNamespaceSelector,
	scope.WebhookObjectSelector:    scope.MatchObjectSelector,
}

// sameRoom reports whether only the webhooks differ through which a policy is called, and
// whether the policy itself is proven to keep out all that they differ by.
func (p *pair) sameRoom(all []compared) bool {
	for _, one := range all {
		if one.bounds == same {
			continue
		}
		behind, ok := rooms[one.name]
		if !ok {
			return false
		}
		inside, ok := selected(layer(p.after, behind))
		// Where a request has no object, or no old one, Kyverno's engine asks about one without labels, and the webhook about
		// none (scope/kyverno/engine, received): what the one matches says nothing about the other then.
		ok = ok && (behind != scope.MatchObjectSelector || !inside.Has(nil))
		for _, side := range []*scope.Policy{p.before, p.after} {
			around, written := selected(layer(side, one.name))
			ok = ok && written && inside.Implies(around)
		}
		if !ok {
			return false
		}
	}
	return true
}

// selected is what a layer selects, or the one layer that it stands for. Of several it is not
// said.
func selected(l scope.Layer) (selector.Extent, bool) {
	if s, ok := l.(standing); ok {
		if all := s.Written(); len(all) == 1 {
			l = all[0]
		}
	}
	if s, ok := l.(selecting); ok {
		return s.Extent(), true
	}
	return selector.Extent{}, false
}

// onlyCalls looks again at webhooks through which a server is called that evaluates policies of
// its own. Where all of these are evaluated for the same requests as before, a change of the
// webhook is one of how often it is called.
func (in Input) onlyCalls(changes []Change) {
	verdicts := map[string]Verdict{}
	for _, c := range changes {
		verdicts[c.Policy.ID()] = c.Verdict
	}
	for i := range changes {
		c := &changes[i]
		behind := in.behind(c.Policy.ID())
		changed := func(id string) bool { return verdicts[id].AtLeast(Undecided) }
		if c.Verdict != Identical && len(behind) > 0 && !slices.ContainsFunc(behind, changed) {
			c.Verdict = VolumeOnly
			c.Why = "The server is called for other requests, and evaluates each of the policies behind this webhook for the same ones as before."
		}
	}
}

// behind lists the policies that are asked about through a webhook, on either side.
func (in Input) behind(webhook string) []string {
	var all []string
	for _, p := range slices.Concat(in.Before.Policies, in.After.Policies) {
		if slices.Contains(p.Through, webhook) {
			all = append(all, p.ID())
		}
	}
	return all
}

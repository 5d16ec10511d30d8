package webhooks

import "slices"

// Predict works out the webhooks. It never fails: what cannot be known is a finding.
func Predict(in Input) *Prediction {
	b := newBuilder(in)
	if in.Flags.NoAutoUpdateWebhooks {
		b.catchAll()
	} else {
		b.addLegacy()
		for _, c := range calls(in.Release) {
			b.build(c)
		}
		b.diagnose()
	}
	b.finish()
	b.refusals()
	for _, problem := range b.config.Problems {
		b.add(Finding{
			Kind: "config-ignored", Severity: Warning, Message: "ConfigMap kyverno: " + problem + ".",
			Why: "Kyverno logs what it cannot read in its ConfigMap, and goes on as if it did not stand there.",
			Fix: "Correct the value.",
		})
	}
	p := &Prediction{Entries: b.entries, Orders: b.orders, Findings: b.sorted(), in: in}
	p.Validating, p.Mutating = b.configurations()
	return p
}

// Move is a policy whose webhooks have other names than they would have without another policy.
type Move struct {
	Policy Ref
	// Before are the names of its webhooks without the other policy, After those with it.
	Before, After []string
}

// Moved lists the policies that a policy moved when it was added: with a second pair of selectors in its kind every
// webhook of the kind gets a suffix. A webhook that is renamed is another webhook to the API server, to alerts and to
// dashboards.
func (p *Prediction) Moved(by Ref) []Move {
	without := p.in
	without.Policies = nil
	for _, policy := range p.in.Policies {
		if policy.PolicyKind() == by.Kind && RefOf(policy) != by {
			without.Policies = append(without.Policies, policy)
		}
	}
	b := newBuilder(without)
	for _, c := range calls(without.Release) {
		if c.kind == by.Kind && !without.Flags.NoAutoUpdateWebhooks {
			b.build(c)
		}
	}
	b.finish()
	before := &Prediction{Entries: b.entries}
	var moves []Move
	for _, policy := range b.policies {
		m := Move{Policy: RefOf(policy), Before: before.namesOf(RefOf(policy)), After: p.namesOf(RefOf(policy))}
		if !slices.Equal(m.Before, m.After) {
			moves = append(moves, m)
		}
	}
	return moves
}

func (p *Prediction) namesOf(r Ref) []string {
	var names []string
	for _, e := range p.Serving(r) {
		names = append(names, e.Name)
	}
	return names
}

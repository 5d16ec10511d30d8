package views

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// kyvernoSeverities are the class and the word for a finding about webhooks.
var kyvernoSeverities = map[webhooks.Severity]struct{ class, word string }{
	webhooks.Error: {"err", "error"}, webhooks.Warning: {"unk", "warning"}, webhooks.Info: {"out", "to know"},
}

// newKyvernoFindings shows what is about webhooks that nobody meant. A finding leads to all policies that it is about, and
// to the webhook on the page Kyverno.
func newKyvernoFindings(found []webhooks.Finding, cards map[string]KyvernoCard) FindingList {
	l := FindingList{Named: true}
	for _, f := range found {
		s := kyvernoSeverities[f.Severity]
		v := FindingView{Class: s.class, Word: s.word, Rule: "kyverno-" + f.Kind, Message: f.Message, Why: f.Why, Fix: f.Fix}
		if c, ok := cards[f.Entry]; ok {
			v.Links = append(v.Links, Link{"/kyverno#" + c.ID, "The webhook " + c.Name})
		}
		for i, p := range kyvernoPolicies(f.Policies) {
			if i == 0 {
				v.Title = p.Title
			}
			v.Links = append(v.Links, Link{p.Href, p.Title})
			v.groups = append(v.groups, groupKey{p.Kind, p.Title})
		}
		if more := len(f.Policies) - 1; more > 0 {
			v.Title += " and " + count(more) + " more"
		}
		l.Findings = append(l.Findings, v)
	}
	return l
}

// Find leaves out what does not hold for what was read, once somebody has finished looking: a prediction says nothing of
// selectors where the cluster has others.
func (p *KyvernoPage) Find(all FindingList) {
	if all.Looking {
		return
	}
	p.Findings.Findings = slices.DeleteFunc(slices.Clone(p.Findings.Findings), func(f FindingView) bool {
		return !slices.ContainsFunc(all.Findings, func(o FindingView) bool { return o.Rule == f.Rule && o.Message == f.Message })
	})
}

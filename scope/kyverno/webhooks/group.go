package webhooks

import (
	"maps"
	"path"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// group is the policies of one call that share webhooks.
type group struct {
	call
	pair
	key, suffix string
	policies    []*api.Policy
}

// grouped makes a group of all policies that have the same selectors (groupBySelectors). Suffixes tell groups apart as
// soon as there are two, whether or not both come to have a webhook.
func (b *builder) grouped(c call, policies []*api.Policy) {
	groups := map[string]*group{}
	for _, p := range policies {
		pair := b.selectorsOf(p)
		key := pair.key()
		if groups[key] == nil {
			groups[key] = &group{call: c, pair: pair, key: key}
		}
		groups[key].policies = append(groups[key].policies, p)
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		g := groups[key]
		if len(groups) > 1 {
			g.suffix = "-" + key[:8]
		}
		b.groups = append(b.groups, g)
		b.entries = append(b.entries, b.pairOf(g)...)
	}
}

// pairOf makes the two webhooks of a group. One path names all its policies; the rules of each webhook are those of the
// policies with its failure policy, and a webhook without rules is left out.
func (b *builder) pairOf(g *group) []*Entry {
	var names []string
	var members []Ref
	for _, p := range g.policies {
		names, members = append(names, p.Name), append(members, RefOf(p))
	}
	slices.Sort(names)
	target := path.Join(g.path, path.Join(names...))
	var entries []*Entry
	for _, failurePolicy := range []v1.FailurePolicyType{v1.Fail, v1.Ignore} {
		e := b.entry(g.call, failurePolicy, g.suffix, target, g.pair)
		e.group, e.Suffix, e.Key, e.Members = g, g.suffix, g.key, members
		var rules []v1.RuleWithOperations
		for _, p := range g.policies {
			if b.failurePolicy(p) != failurePolicy {
				continue
			}
			own := b.own(g.call, p)
			for _, d := range b.derived(g.call, p, false) {
				rules = append(rules, rulesOf(d.Match)...)
			}
			if rules = append(rules, own...); len(own) > 0 {
				e.Givers = append(e.Givers, RefOf(p))
			}
		}
		if rules == nil {
			continue
		}
		b.setRules(g.call, e, rules)
		entries = append(entries, e)
	}
	return entries
}

// entry is a webhook as all of them are.
func (b *builder) entry(c call, failurePolicy v1.FailurePolicyType, tail, target string, s pair) *Entry {
	return &Entry{
		Mutating: c.mutating, Base: c.base, Name: c.base + "-" + strings.ToLower(string(failurePolicy)) + tail, Path: target,
		FailurePolicy: failurePolicy, SideEffects: v1.SideEffectClassNoneOnDryRun,
		NamespaceSelector: s.namespace, ObjectSelector: s.object,
	}
}

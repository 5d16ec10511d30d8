package webhooks

import (
	"fmt"
	"strings"
)

// splits is about groups that differ in how their selectors are written and in nothing else.
func (b *builder) splits() {
	same := map[string][]*group{}
	var keys []string
	for _, g := range b.groups {
		extents := g.extents()
		if invalid(extents) {
			continue
		}
		key := g.path + " " + extents.Key()
		if same[key] == nil {
			keys = append(keys, key)
		}
		same[key] = append(same[key], g)
	}
	for _, key := range keys {
		if len(same[key]) < 2 {
			continue
		}
		var suffixes []string
		var refs []Ref
		for _, g := range same[key] {
			suffixes = append(suffixes, g.suffix)
			for _, p := range g.policies {
				refs = append(refs, RefOf(p))
			}
		}
		b.add(Finding{
			Kind: "split-groups", Severity: Info, Policies: refs,
			Message: fmt.Sprintf("The groups %s of %s select the same, and stand apart because their selectors are written "+
				"in different ways.",
				strings.Join(suffixes, ", "), same[key][0].base),
			Why: "Kyverno groups policies by the text of their selectors: {} is another than none, and the order of " +
				"expressions and of values counts. Each group is one call more for each request.",
			Fix: "Write the selectors in the same way.",
		})
	}
}

// sharedPaths is about groups with both failure policies.
func (b *builder) sharedPaths() {
	for i, e := range b.entries {
		for _, other := range b.entries[i+1:] {
			if e.group == nil || e.group != other.group {
				continue
			}
			b.add(Finding{
				Kind: "shared-path", Severity: Info, Policies: e.Members, Entry: e.Name,
				Message: fmt.Sprintf("%s and %s call Kyverno at one path, %s, which names the policies of both.",
					e.Name, other.Name, e.Path),
				Why: "Kyverno evaluates every policy in the path, whatever its failurePolicy. A request that the rules of " +
					"both match is evaluated twice, and while Kyverno cannot be reached it is the failurePolicy of the webhook " +
					"that counts.",
				Fix: "Nothing has to be done. With one failurePolicy for all, one call does.",
			})
		}
	}
}

package views

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// policyName is a name with its namespace, if it is in one: that is what tells two policies of a kind apart.
func policyName(namespace, name string) string {
	return strings.TrimPrefix(namespace+"/"+name, "/")
}

// PolicyName is the name of a policy with its namespace, if it is in one.
func PolicyName(p *scope.Policy) string { return policyName(p.Namespace, p.Name) }

// policyHref is the address of the page of one policy, configuration or FlowSchema.
func policyHref(kind, namespace, name string) string {
	return "/policies/" + kind + "/" + url.PathEscape(policyName(namespace, name))
}

// noEntry stands in addresses for the entry of a policy that has none. No entry can be called so.
const noEntry = "-"

// entryHref is the address of what belongs to one entry of a policy.
func entryHref(p *scope.Policy, what string) string {
	entry := p.Entry
	if entry == "" {
		entry = noEntry
	}
	return policyHref(p.Kind, p.Namespace, p.Name) + "/" + url.PathEscape(entry) + "/" + what
}

// Title names an entry by itself: a policy of Kyverno has none, and goes by its own name.
func (e *Entry) Title() string { return cmp.Or(e.Policy.Entry, PolicyName(e.Policy)) }

// fragment is the place of an entry on the page of its object.
func (e *Entry) fragment() string {
	if e.Policy.Entry == "" {
		return ""
	}
	return "#" + url.PathEscape(e.Policy.Entry)
}

// EntryNamed finds the entry that a part of an address names, or nil.
func (g *Group) EntryNamed(part string) *Entry {
	for _, e := range g.Entries {
		if e.Policy.Entry == part || e.Policy.Entry == "" && part == noEntry {
			return e
		}
	}
	return nil
}

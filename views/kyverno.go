package views

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// KyvernoPage is the page of the webhooks that Kyverno writes.
type KyvernoPage struct {
	// Unknown says why there is nothing to show; empty if there is.
	Unknown string
	Lede    Sentence
	// Notes are what could not be read, or not be understood.
	Notes []string
	// Settings are what holds for all webhooks and all policies.
	Settings []KyvernoSetting
	Unserved []KyvernoPolicy
	// Astray are the webhooks that are not as predicted, in the order of the page.
	Astray   []KyvernoCard
	Findings FindingList
	Orders   []KyvernoOrder
	// Halves are the two configurations, each with its entries.
	Halves []KyvernoHalf
}

// KyvernoSetting is one thing that the ConfigMap, a flag or the release decides for everything.
type KyvernoSetting struct {
	Name, Text string
	// Values are set as code, each by itself, and Chips are the requirements of a selector.
	Values []string
	Chips  []Chip
}

// KyvernoPolicy leads to the page of a policy of Kyverno.
type KyvernoPolicy struct {
	Href, Title, Kind string
	// Gives says that rules of the entry at hand are the policy's.
	Gives bool
}

// So many are shown at once; more are folded or counted.
const (
	fewFilters  = 8
	fewPolicies = 8
	fewOrders   = 10
)

// NewKyvernoPage shows the webhooks of a catalog; unknown and notes say what is missing in what was read.
func NewKyvernoPage(c *Catalog, unknown string, notes []string) KyvernoPage {
	if c.Kyverno() == nil {
		return KyvernoPage{Unknown: unknown, Notes: notes}
	}
	p := c.kyvernoPage()
	p.Notes = slices.Concat(notes, p.Notes)
	return p
}

// newKyvernoPage shows what a report alone tells.
func newKyvernoPage(r *kyverno.Report) KyvernoPage {
	p := KyvernoPage{Notes: slices.Clone(r.Unreadable), Settings: kyvernoSettings(r)}
	if r.Config != nil {
		p.Notes = append(p.Notes, r.Config.Problems...)
	}
	p.Halves = []KyvernoHalf{newKyvernoHalf(r, false), newKyvernoHalf(r, true)}
	for _, h := range p.Halves {
		for _, c := range h.Cards {
			if c.astray() {
				p.Astray = append(p.Astray, c)
			}
		}
	}
	p.Findings = newKyvernoFindings(r.Findings, p.cards())
	for _, d := range r.Differences {
		if d.Kind == kyverno.Unserved {
			p.Unserved = append(p.Unserved, kyvernoPolicies(d.Policies)...)
		}
	}
	p.Orders = newKyvernoOrders(r)
	p.Lede = kyvernoLede(r, p)
	return p
}

// cards are the entries on the page by their names.
func (p KyvernoPage) cards() map[string]KyvernoCard {
	all := map[string]KyvernoCard{}
	for _, h := range p.Halves {
		for _, c := range h.Cards {
			all[c.Name] = c
		}
	}
	return all
}

// kyvernoLede says in two sentences how things stand.
func kyvernoLede(r *kyverno.Report, p KyvernoPage) Sentence {
	entries, members := len(r.Predicted.Entries), map[webhooks.Ref]bool{}
	for _, e := range r.Predicted.Entries {
		for _, m := range e.Members {
			members[m] = true
		}
	}
	s := Sentence{}.plain("Kyverno " + r.Release.String() + " would write ").strong(many(entries, "webhook", "webhooks")).
		plain(" for ").strong(many(len(members), "policy", "policies")).plain(". ")
	wrong := len(p.Astray)
	switch {
	case !r.Observed.Any():
		s = s.plain("What it wrote is not here to compare with, so every verdict follows what is predicted.")
	case wrong == 0 && len(p.Unserved) == 0:
		s = s.plain("The cluster has exactly these.")
	case wrong == 0:
		s = s.plain("The cluster does not have all of these; what it has decides every verdict.")
	default:
		s = s.plain("In the cluster ").strong(many(wrong, "webhook", "webhooks")).
			plain(" " + noun(wrong, "differs", "differ") + " from that; what the cluster has decides every verdict.")
	}
	return s
}

// kyvernoPolicies are links to policies.
func kyvernoPolicies(refs []webhooks.Ref) []KyvernoPolicy {
	all := make([]KyvernoPolicy, 0, len(refs))
	for _, r := range refs {
		all = append(all, newKyvernoPolicy(r))
	}
	return all
}

// refOf names a policy of Kyverno as its report does.
func refOf(p *scope.Policy) webhooks.Ref {
	return webhooks.Ref{Kind: api.Kind(p.Kind), Namespace: p.Namespace, Name: p.Name}
}

func newKyvernoPolicy(r webhooks.Ref) KyvernoPolicy {
	return KyvernoPolicy{Href: policyHref(string(r.Kind), r.Namespace, r.Name), Title: policyName(r.Namespace, r.Name), Kind: string(r.Kind)}
}

// kyvernoSettings are what holds for all webhooks.
func kyvernoSettings(r *kyverno.Report) []KyvernoSetting {
	release := KyvernoSetting{Name: "Release", Text: r.Release.String() + ", policies grouped by their selectors"}
	if !r.Release.Grouped() {
		release.Text = r.Release.String() + ", before policies were grouped: one webhook for all, with the selectors of one of them"
	}
	all := []KyvernoSetting{release}
	switch {
	case r.Config == nil && !r.ConfigKnown:
		return append(all, KyvernoSetting{Name: "ConfigMap", Text: "not known, so nothing global is taken for granted"})
	case r.Config == nil:
		return append(all, KyvernoSetting{Name: "ConfigMap", Text: "there is none, so nothing is excluded for all policies"})
	}
	c := r.Config
	all = append(all,
		KyvernoSetting{Name: "ConfigMap", Values: []string{policyName(c.Namespace, "kyverno")}},
		selectorSetting("Namespaces of every webhook", c.NamespaceSelector),
		selectorSetting("Objects of every webhook", c.ObjectSelector),
	)
	filters := KyvernoSetting{Name: "Resource filters"}
	for _, f := range c.Filters {
		filters.Values = append(filters.Values, f.Written)
	}
	for _, x := range []KyvernoSetting{
		filters,
		{Name: "Excluded users", Values: c.Excluded.Usernames}, {Name: "Excluded groups", Values: c.Excluded.Groups},
		{Name: "Excluded roles", Values: c.Excluded.Roles}, {Name: "Excluded cluster roles", Values: c.Excluded.ClusterRoles},
	} {
		if len(x.Values) > 0 {
			all = append(all, x)
		}
	}
	return all
}

func selectorSetting(name string, s *metav1.LabelSelector) KyvernoSetting {
	set := KyvernoSetting{Name: name, Chips: chipsOf(s)}
	if len(set.Chips) == 0 {
		set.Text = "all"
	}
	return set
}

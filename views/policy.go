package views

import (
	"net/url"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// PolicyPage is one configuration, one admission policy or one FlowSchema with all that
// belongs to it.
type PolicyPage struct {
	Kind, Name string
	Meta       []string
	Lede       Sentence
	Notes      []string
	// Sections are the webhooks of a configuration; an admission policy has one, without a
	// title, and Bindings.
	Sections []Section
	Bindings []Section
	// Idle says that no binding puts the policy to work.
	Idle      bool
	Manifests []Manifest
	// TryHref and TryText lead to the explore page.
	TryHref, TryText string
	// Flow is what a FlowSchema has beside its layers.
	Flow *FlowPolicy
	// Rooms is what a policy of Kyverno has beside its layers.
	Rooms *KyvernoRooms
	// Asked is the question that the funnels answer, and Findings what is wrong with scopes.
	Asked    *FunnelAsk
	Findings FindingList
}

// Section is one webhook, one policy or one binding with its layers.
type Section struct {
	// Anchor is the fragment of the section's address.
	Anchor, Title string
	Meta          []string
	Lede          Sentence
	Layers        []LayerView
	TryHref       string
	// Reach is what the policy reaches now, if that is known.
	Reach *Funnel
}

// LayerView is a layer with its place in the order and what it selects now.
type LayerView struct {
	Layer
	Number    int
	Chips     []Chip
	Selection *SelectionView
}

// SelectionView is which namespaces pass a selector, the first few by name.
type SelectionView struct {
	Pass, Fail names
	Total      int
	// Percent is the width of the bar.
	Percent int
}

// names are a few names to show and the rest to fold.
type names struct {
	First, Rest []string
	Count       int
}

const firstNames = 6

func newNames(all []string) names {
	n := names{First: all, Count: len(all)}
	if len(all) > firstNames+2 {
		n.First, n.Rest = all[:firstNames], all[firstNames:]
	}
	return n
}

// NewPolicyPage shows a group of a catalog.
func NewPolicyPage(c *Catalog, g *Group) PolicyPage {
	page := PolicyPage{Kind: g.Kind, Name: g.Name, TryHref: tryHref(g.Entries[0], false), TryText: "Try an object against this policy"}
	first := g.Entries[0].Policy
	switch {
	case g.Phase == scope.FlowControl:
		page.flowSchema(c, g.Entries[0])
	case isKyverno(first):
		page.kyverno(c, g.Entries[0])
	case isWebhook(g.Phase):
		page.webhooks(c, g)
	default:
		page.policy(c, g)
	}
	if first.Origin != "" {
		page.Meta = append(page.Meta, "from "+first.Origin)
	}
	page.Manifests = manifests(g)
	return page
}

// webhooks fills in a configuration. The lede of a single webhook is that webhook's.
func (page *PolicyPage) webhooks(c *Catalog, g *Group) {
	page.Meta = []string{g.Kind, many(len(g.Entries), "webhook", "webhooks")}
	if len(g.Entries) == 1 {
		page.Lede = g.Entries[0].Sentence
		page.Meta = append(page.Meta, fails(g.Entries[0].Policy.FailurePolicy))
	} else {
		page.Lede = Sentence{}.plain("Holds ").strong(many(len(g.Entries), "webhook", "webhooks")).plain(". Each has a scope of its own and may be called or not, whatever happens to the others.")
	}
	for _, e := range g.Entries {
		s := Section{Anchor: e.Policy.Entry, Title: e.Policy.Entry, Meta: webhookMeta(e.Policy), Layers: layerViews(e.Own, c.Namespaces), TryHref: tryHref(e, true)}
		if len(g.Entries) > 1 {
			s.Lede = e.Sentence
		}
		page.Sections = append(page.Sections, s)
	}
}

// policy fills in an admission policy with its bindings.
func (page *PolicyPage) policy(c *Catalog, g *Group) {
	first := g.Entries[0]
	page.Meta = []string{g.Kind}
	page.Idle = unbound(first.Policy)
	if !page.Idle {
		page.Meta = append(page.Meta, many(len(g.Entries), "binding", "bindings"))
	}
	if policyMissing(first.Policy) {
		page.Lede = Sentence{}.strong("There is no such policy").plain(", but " + many(len(g.Entries), "binding names", "bindings name") + " it. They do nothing until it exists.")
	} else {
		page.Meta = append(page.Meta, fails(first.Policy.FailurePolicy))
		page.Lede = Sentence{}.plain("Sees ").layers(first.Own, "every request")
		if page.Idle {
			page.Lede = page.Lede.plain("; but ").strong("no binding").plain(" puts it to work, so it does nothing.")
		} else {
			page.Lede = page.Lede.plain("; ").strong(onError(first.Policy.FailurePolicy)).plain(".")
		}
		page.Sections = []Section{{Layers: layerViews(first.Own, c.Namespaces)}}
	}
	for _, e := range g.Entries {
		if e.Policy.Entry == "" {
			continue
		}
		page.Bindings = append(page.Bindings, binding(c, e))
	}
}

func binding(c *Catalog, e *Entry) Section {
	s := Section{Anchor: e.Policy.Entry, Title: e.Policy.Entry, Meta: bindingMeta(e.Policy), TryHref: tryHref(e, true)}
	if narrows(e.Bound) {
		s.Lede = Sentence{}.plain("Narrows the policy to ").layers(e.Bound, "requests").plain(".")
	} else {
		s.Lede = Sentence{}.plain("Takes over the policy's scope as it is.")
	}
	var asking []Layer
	for _, l := range e.Bound {
		if l.Narrows {
			asking = append(asking, l)
		}
	}
	s.Layers = layerViews(asking, c.Namespaces)
	return s
}

func layerViews(layers []Layer, namespaces []*corev1.Namespace) []LayerView {
	views := make([]LayerView, 0, len(layers))
	for i, l := range layers {
		v := LayerView{Layer: l, Number: i + 1}
		v.Title = capital(strings.TrimPrefix(v.Title, "Binding: "))
		if l.Room != "" {
			v.Title = inRoom(v.Title)
		}
		if l.Selector != nil && l.Narrows {
			v.Chips = Chips(l.Selector)
		}
		if l.OfNamespace && l.Narrows && len(namespaces) > 0 {
			sel := Select(l.Selector, namespaces)
			v.Selection = &SelectionView{
				Pass: newNames(sel.Pass), Fail: newNames(sel.Fail), Total: len(namespaces),
				Percent: 100 * len(sel.Pass) / len(namespaces),
			}
		}
		if i > 0 && l.Room == layers[i-1].Room {
			v.Room = ""
		}
		views = append(views, v)
	}
	return views
}

// tryHref leads to the explore page with one policy in the light.
func tryHref(e *Entry, one bool) string {
	id := e.Policy.Kind + "/" + policyName(e.Policy.Namespace, e.Policy.Name)
	if one {
		id = e.ID
	}
	return "/explore?policy=" + url.QueryEscape(id)
}

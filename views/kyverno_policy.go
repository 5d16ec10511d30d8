package views

import "slices"

// kyverno fills in a policy of Kyverno: both rooms in the order in which a request passes them.
func (page *PolicyPage) kyverno(c *Catalog, e *Entry) {
	page.Meta = []string{e.Policy.Kind, fails(e.Policy.FailurePolicy)}
	page.Lede = e.Sentence
	page.Sections = []Section{{Layers: layerViews(e.Own, c.Namespaces)}}
	page.Rooms = newKyvernoRooms(c, e)
}

// KyvernoRooms is how a policy of Kyverno is served, and what is wrong with that.
type KyvernoRooms struct {
	Webhooks []KyvernoCard
	Unserved bool
	Findings FindingList
}

func newKyvernoRooms(c *Catalog, e *Entry) *KyvernoRooms {
	whole, own := c.kyvernoPage(), newKyvernoPolicy(refOf(e.Policy))
	rooms := &KyvernoRooms{Unserved: slices.Contains(whole.Unserved, own), Findings: whole.Findings.Of(own.Kind, own.Title)}
	cards := whole.cards()
	for _, name := range unique(served(e.Policy).Webhooks()) {
		if card, ok := cards[name]; ok {
			rooms.Webhooks = append(rooms.Webhooks, card)
		}
	}
	return rooms
}

// Find takes over what was found in the policies of all pages. While nobody has finished looking, what is known of the
// webhooks of a policy of Kyverno's stands in for it.
func (page *PolicyPage) Find(all FindingList) {
	page.Findings = all.Of(page.Kind, page.Name)
	if page.Rooms != nil && page.Findings.Looking {
		page.Findings.Findings = page.Rooms.Findings.Findings
	}
}

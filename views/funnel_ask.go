package views

import (
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// FunnelAsk is what is asked about every object, as a form, with what the numbers are about.
type FunnelAsk struct {
	Asked
	Lede Sentence
	// Quiet is a sentence that stands in the place of numbers where there are none.
	Quiet string
	// CSV and JSON lead to the numbers as files.
	CSV, JSON string
	// Index are the funnels of the page, where they do not follow at once.
	Index []*Funnel
}

// NewFunnelAsk shows a question; the result is nil where nothing is known about objects.
func NewFunnelAsk(asked Asked, r *coverage.Result) *FunnelAsk {
	a := &FunnelAsk{Asked: asked}
	if r == nil {
		a.Quiet = "Which objects exist has not been read here, so Ambit cannot say what this policy reaches."
		return a
	}
	a.Lede = Sentence{}.plain("As if each of the ").strong(many(r.Population().Len(), "object", "objects")).plain(" that exist were " + written[string(r.Ask().Operation)] + " now, ").plain(asker(asked) + ".")
	a.CSV, a.JSON = asked.as("csv"), asked.as("json")
	return a
}

// written says what happens to an object.
var written = map[string]string{"": "created", "CREATE": "created", "UPDATE": "updated without a change", "DELETE": "deleted"}

func asker(a Asked) string {
	groups := list(a.Groups, "and")
	switch {
	case a.As == "" && groups == "":
		return "whoever asks"
	case a.As == "":
		return "by a member of " + groups
	case groups == "":
		return "by " + a.As
	}
	return "by " + a.As + ", a member of " + groups
}

// as is the address of the same page as a file.
func (a Asked) as(format string) string {
	query := a.values()
	query.Set("format", format)
	return "?" + query.Encode()
}

// Reaches puts the funnels in the sections of a policy's page.
func (page *PolicyPage) Reaches(g *Group, of func(*Entry) *Funnel) {
	for _, sections := range [][]Section{page.Sections, page.Bindings} {
		for i := range sections {
			for _, e := range g.Entries {
				if e.Policy.Entry != sections[i].Anchor || unbound(e.Policy) {
					continue
				}
				sections[i].Reach = of(e)
				if f := sections[i].Reach; f != nil && page.Asked != nil && len(page.Sections)+len(page.Bindings) > 1 {
					page.Asked.Index = append(page.Asked.Index, f)
				}
			}
		}
	}
}

package views

import (
	"context"
	"net/url"
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// Funnel is what one policy reaches among the objects that exist: how many of them remain
// after each layer, and why the others fell out.
type Funnel struct {
	// ID is that of the policy's section, Title names the policy.
	ID, Title string
	Lede      Sentence
	// Applicable is the number of objects whose resource the rules name.
	Applicable string
	Drops      []FunnelDrop
	// Ends are what became of the objects in the end.
	Ends []FunnelEnd
	// Lower names what has not been read, where that makes the numbers lower bounds; LeftOut
	// what is left out on purpose, and Partly what conditions cannot be told of.
	Lower, LeftOut, Partly []string
}

// FunnelDrop is one layer with what remains after it and what fell out at it.
type FunnelDrop struct {
	Title             string
	Remaining, Fallen string
	// Part and Before are the widths of the bar after and before the layer, in per cent.
	Part, Before string
	// Href leads to the objects that fell out; it is empty where none did.
	Href   string
	Groups []FunnelGroup
	// More is the number of groups beyond those that are shown.
	More int
	// Unlabelled says how many of them an objectSelector skips because they have no labels.
	Unlabelled string
}

// FunnelEnd is one outcome of the objects that no layer left out.
type FunnelEnd struct {
	Class, Word, Count, Href string
	// From and Part are its place in the bar of all objects, in per cent.
	From, Part string
	// Why are the groups of those that failed or cannot be told.
	Why []FunnelGroup
}

// FunnelSource is what funnels are made of.
type FunnelSource struct {
	Result *coverage.Result
	// Gaps are the resources whose objects are not all known.
	Gaps []ResourceGap
	// Asked is the question, which is carried from page to page.
	Asked Asked
}

// fewGroups are shown at each layer; the rest is a link away.
const fewGroups = 3

// NewFunnel shows what a policy reaches. It is nil for a policy without effect of its own.
// Reasons that are not found before the context ends are left out; the numbers stay.
func NewFunnel(ctx context.Context, e *Entry, src FunnelSource) *Funnel {
	if src.Result == nil || unbound(e.Policy) || policyMissing(e.Policy) {
		return nil
	}
	index := src.Result.Index(e.ID)
	if index < 0 {
		return nil
	}
	total := src.Result.Total(index)
	f := &Funnel{ID: e.Policy.Entry, Title: e.Title(), Applicable: count(int(total.Applicable))}
	f.gaps(e, src.Gaps)
	f.Lede = reaches(e, total)
	if total.Applicable == 0 {
		switch {
		case e.onlySubresources():
			f.Lede = Sentence{}.plain("Its rules name only subresources. These are asked for and never stored, so there are no objects to count.")
		case len(f.Lower) > 0:
			f.Lede = Sentence{}.plain("No object of its resources has been read.")
		}
		return f
	}
	before := int(total.Applicable)
	for _, drop := range src.Result.Funnel(index) {
		if d, shown := newDrop(ctx, e, src, index, drop, before, int(total.Applicable)); shown {
			f.Drops = append(f.Drops, d)
		}
		before = drop.Remaining
	}
	f.ends(ctx, e, src, index, total)
	return f
}

// newDrop shows a layer, unless it asks for nothing.
func newDrop(ctx context.Context, e *Entry, src FunnelSource, index int, drop coverage.Drop, before, all int) (d FunnelDrop, shown bool) {
	if drop.Fallen == 0 && !e.asks()[drop.Layer] {
		return d, false
	}
	d = FunnelDrop{Title: titles[drop.Layer], Remaining: count(drop.Remaining), Part: width(drop.Remaining, all), Before: width(before, all)}
	if d.Title == "" {
		d.Title = string(drop.Layer)
	}
	if drop.Fallen == 0 {
		return d, true
	}
	d.Fallen, d.Href = count(drop.Fallen), e.objectsHref(src.Asked, url.Values{"layer": {string(drop.Layer)}})
	groups, unlabelled := funnelGroups(ctx, e, src, index, drop.Layer, scope.Excluded)
	d.Groups, d.More = few(groups)
	if ofObject(drop.Layer) && unlabelled > 0 {
		d.Unlabelled = unlabelledSentence(unlabelled)
	}
	return d, true
}

// ends are what became of the objects that no layer left out.
func (f *Funnel) ends(ctx context.Context, e *Entry, src FunnelSource, index int, total coverage.Counts) {
	before, all := 0, int(total.Applicable)
	for _, end := range []struct {
		outcome     scope.Outcome
		n           int32
		class, word string
	}{
		{scope.Included, total.Included, "in", "reached"},
		{scope.Error, total.Error, "err", failing(e.Policy.FailurePolicy)},
		{scope.Unknown, total.Unknown, "unk", "cannot be told"},
	} {
		if end.n == 0 {
			continue
		}
		shown := FunnelEnd{Class: end.class, Word: end.word, Count: count(int(end.n)), Href: e.objectsHref(src.Asked, url.Values{"outcome": {string(end.outcome)}})}
		shown.From, shown.Part = width(before, all), width(int(end.n), all)
		before += int(end.n)
		if end.outcome != scope.Included {
			var all []FunnelGroup
			for _, layer := range e.Policy.Layers {
				groups, _ := funnelGroups(ctx, e, src, index, layer.Name(), end.outcome)
				all = append(all, groups...)
			}
			shown.Why, _ = few(all)
		}
		f.Ends = append(f.Ends, shown)
	}
}

// few keeps the first groups. One more is not worth a line of its own that says so.
func few(groups []FunnelGroup) (shown []FunnelGroup, more int) {
	n := len(groups)
	if n > fewGroups+1 {
		n = fewGroups
	}
	return groups[:n], len(groups) - n
}

// failing says what an error does to a write of an object.
func failing(failurePolicy string) string {
	if failurePolicy == "Ignore" {
		return "fail and are skipped"
	}
	return "fail and are refused"
}

// ofObject reports whether a layer reads the labels of objects.
func ofObject(l scope.LayerName) bool {
	return l == scope.ObjectSelector || l == scope.BindingObjectSelector || l == scope.WebhookObjectSelector || l == scope.MatchObjectSelector
}

func unlabelledSentence(n int) string {
	return many(n, "of them has", "of them have") + " no labels at all: a selector that asks for a label never finds an object without any."
}

// width is a share in per cent, with what is there but too small to see made visible.
func width(part, all int) string {
	if all == 0 || part == 0 {
		return "0"
	}
	return strconv.FormatFloat(max(100*float64(part)/float64(all), 0.5), 'f', 1, 64)
}

// objectsHref is the address of a list of objects under a policy.
func (e *Entry) objectsHref(a Asked, which url.Values) string {
	query := a.values()
	for name, value := range which {
		query[name] = value
	}
	return href(entryHref(e.Policy, "objects"), query)
}

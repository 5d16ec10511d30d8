package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// change says what became of a policy; nil if it is written as it was, in effect.
func (p *pair) change(ctx context.Context) (*Change, error) {
	some := p.some()
	c := &Change{Kind: some.Kind, Namespace: some.Namespace, Name: some.Name, Entry: some.Entry, Layers: []scope.LayerName{}, Witnesses: []Witness{}, Policy: some}
	if some.Phase == scope.FlowControl {
		c.Way, c.Verdict, c.Why = p.way(true, true), Undecided, "Reviews do not compare FlowSchemas: which one a request falls in depends on all of them."
		return c, nil
	}
	compared := p.compare()
	within, around := p.before != nil && p.after != nil, p.before != nil && p.after != nil
	for _, one := range compared {
		within, around = within && one.within, around && one.around
		if one.bounds != same {
			c.Layers = append(c.Layers, one.name)
		}
	}
	if within && around {
		if p.sameSource() {
			return nil, nil
		}
		c.Way, c.Verdict, c.Why = Same, Identical, "Every layer lets the same requests pass as before."
		return c, nil
	}
	if twin := p.twin(); twin != nil {
		c.Way, c.Verdict, c.Why = p.way(false, false), Identical, fmt.Sprintf("%s does the same for every request that this one sees.", twin.Title())
		return c, nil
	}
	if why := p.never(ctx); why != "" {
		c.Way, c.Verdict, c.Why = p.way(false, false), Identical, why
		return c, nil
	}
	if err := p.count(ctx, c); err != nil {
		return nil, err
	}
	var err error
	if c.Witnesses, err = p.search(ctx); err != nil {
		return nil, err
	}
	p.judge(c, compared, within, around)
	return c, nil
}

// judge gives the verdict on a policy of which not every layer is proven to be the same.
func (p *pair) judge(c *Change, compared []compared, within, around bool) {
	lost, gained := c.Lost > 0, c.Gained > 0
	for _, w := range c.Witnesses {
		lost, gained = lost || w.Direction == Lost, gained || w.Direction == Gained
	}
	c.Way = p.way(lost || !gained && !around, gained || !lost && !within)
	switch {
	case lost || gained:
		c.Verdict = CoverageChange
		c.Why = shown(c)
		if p.before != nil && p.after != nil && (!gained && !within || !lost && !around) {
			c.Why += " Whether the opposite happens, too, is not proven."
		}
	case p.before == nil || p.after == nil:
		c.Verdict, c.Why = CoverageChange, "No other policy is proven to do the same. No request was found that it sees, and it is not proven that there is none."
	case p.sameRoom(compared):
		c.Verdict = VolumeOnly
		c.Why = "The webhooks that call for it let other requests pass, and none of these is one that the policy itself matches."
	default:
		c.Verdict, c.Why = Undecided, fmt.Sprintf("No request was found that tells the two apart, and it is not proven that there is none (%s).", joined(c.Layers))
	}
}

// way says how the policy changed, by what may have been lost and gained.
func (p *pair) way(lost, gained bool) Way {
	switch {
	case p.before == nil:
		return Added
	case p.after == nil:
		return Removed
	case lost && gained:
		return Both
	case lost:
		return Narrowed
	case gained:
		return Widened
	}
	return Same
}

// twin is another policy that does the same, for one that was added or removed.
func (p *pair) twin() *scope.Policy {
	switch {
	case p.after == nil:
		return stand(p.in, p.before, p.in.After.Policies)
	case p.before == nil:
		return stand(p.in, p.after, p.in.Before.Policies)
	}
	return nil
}

// shown says what shows the difference.
func shown(c *Change) string {
	var words []string
	for _, d := range []Direction{Lost, Gained} {
		n, layers := c.Lost, []scope.LayerName(nil)
		if d == Gained {
			n = c.Gained
		}
		add := func(by Direction, layer scope.LayerName) {
			if by == d && layer != absent && !slices.Contains(layers, layer) {
				layers = append(layers, layer)
			}
		}
		for _, w := range c.Witnesses {
			add(w.Direction, w.DecidedBy)
		}
		for _, drop := range c.Drops {
			add(drop.Direction, drop.Layer)
		}
		text := map[Direction]string{Lost: "Requests are not seen any more", Gained: "Requests are seen that were not"}[d]
		if len(layers) > 0 {
			text += " (" + joined(layers) + ")"
		}
		if n > 0 {
			text += fmt.Sprintf(", among them a CREATE of %d existing object%s", n, plural(n))
		}
		if n > 0 || slices.ContainsFunc(c.Witnesses, func(w Witness) bool { return w.Direction == d }) {
			words = append(words, text+".")
		}
	}
	return strings.Join(words, " ")
}

func joined(layers []scope.LayerName) string {
	words := make([]string, len(layers))
	for i, l := range layers {
		words[i] = string(l)
	}
	return strings.Join(words, ", ")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

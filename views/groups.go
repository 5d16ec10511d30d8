package views

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/ambit-k8s/ambit/scope/selector"
)

// GroupsPage is the policies by what their selectors select.
type GroupsPage struct {
	Lede   Sentence
	State  PopulationState
	Groups []SelectorGroup
}

// SelectorGroup is the policies whose selectors, and those of their bindings, select the same.
type SelectorGroup struct {
	ID                string
	Namespace, Object string
	// Written are the ways in which the same is written.
	Written []WrittenSelectors
	// Within and Around are the groups that this one is next within, or that are next within it.
	Within, Around []GroupRef
	// Problem says why the group selects nothing, or why that cannot be said.
	Problem  string
	Empty    bool
	Policies int
	Selected Selected

	pair selector.Pair
}

// GroupRef leads to another group.
type GroupRef struct{ Href, Title string }

// WrittenSelectors is one way to write the selectors of a group, with its policies.
type WrittenSelectors struct {
	Namespace, Object string
	Policies          []GroupPolicy
}

// GroupPolicy is a policy of a group.
type GroupPolicy struct{ Href, Title, Kind string }

// NewGroupsPage bins the policies of a catalog. What lies in a group is decided by set
// algebra over all labels that there could be; the population is counted and decides
// nothing.
func NewGroupsPage(c *Catalog, tally *Tally, state PopulationState) GroupsPage {
	page := GroupsPage{State: state}
	index := map[string]int{}
	for _, g := range c.Admission() {
		for _, e := range g.Entries {
			pair := pairOf(slices.Concat(e.Own, e.Bound))
			key := pair.Key()
			at, ok := index[key]
			if !ok {
				at = len(page.Groups)
				index[key] = at
				page.Groups = append(page.Groups, newSelectorGroup(pair))
			}
			page.Groups[at].add(e, GroupPolicy{e.Href, policyTitle(c, e), e.Policy.Kind})
		}
	}
	if tally != nil {
		for i := range page.Groups {
			page.Groups[i].Selected = tally.Select(page.Groups[i].pair)
		}
	}
	slices.SortStableFunc(page.Groups, func(a, b SelectorGroup) int {
		return cmp.Or(cmp.Compare(b.Policies, a.Policies), cmp.Compare(b.Selected.Objects, a.Selected.Objects))
	})
	for i := range page.Groups {
		page.Groups[i].ID = "group-" + strconv.Itoa(i+1)
	}
	page.relate()
	page.Lede = groupsLede(page.Groups)
	return page
}

func newSelectorGroup(pair selector.Pair) SelectorGroup {
	g := SelectorGroup{pair: pair, Namespace: pair.Namespace.Key(), Object: pair.Object.Key(), Empty: pair.Empty()}
	switch {
	case pair.Namespace.Err() != nil || pair.Object.Err() != nil:
		g.Problem = "A selector does not compile, so what it selects cannot be said."
	case pair.Namespace.Empty() && pair.Object.Empty():
		g.Problem = "No labels of a namespace and no labels of an object can pass."
	case pair.Namespace.Empty():
		g.Problem = "No labels of a namespace can pass, so nothing in a namespace is ever selected."
	case pair.Object.Empty():
		g.Problem = "No labels of an object can pass, so nothing is ever selected."
	}
	return g
}

// relate finds the groups that a group is next within: those around it with none between.
// Everything is around everything and worth no word.
func (p *GroupsPage) relate() {
	around := make([][]int, len(p.Groups))
	within := make([]map[int]bool, len(p.Groups))
	for i := range p.Groups {
		within[i] = map[int]bool{}
		for j := range p.Groups {
			if i != j && p.Groups[i].isWithin(&p.Groups[j]) {
				around[i] = append(around[i], j)
				within[i][j] = true
			}
		}
	}
	for i := range p.Groups {
		for _, j := range around[i] {
			if !slices.ContainsFunc(around[i], func(between int) bool { return within[between][j] }) {
				p.Groups[i].Within = append(p.Groups[i].Within, p.Groups[j].ref())
				p.Groups[j].Around = append(p.Groups[j].Around, p.Groups[i].ref())
			}
		}
	}
}

// isWithin reports whether a group selects less than another, and both select something.
func (g *SelectorGroup) isWithin(outer *SelectorGroup) bool {
	return g.Problem == "" && outer.Problem == "" && !outer.everything() && g.pair.Relate(outer.pair) == selector.Narrower
}

func (g SelectorGroup) everything() bool {
	return g.pair.Namespace.Everything() && g.pair.Object.Everything()
}

func (g SelectorGroup) ref() GroupRef { return GroupRef{"#" + g.ID, g.title()} }

func groupsLede(groups []SelectorGroup) Sentence {
	var policies, several, within, empty int
	for _, g := range groups {
		policies += g.Policies
		if len(g.Written) > 1 {
			several++
		}
		if len(g.Within) > 0 {
			within++
		}
		if g.Empty {
			empty++
		}
	}
	s := Sentence{}.strong(many(policies, "policy", "policies")).plain(" select by ").strong(many(len(groups), "pair", "pairs") + " of selectors")
	if policies == 1 {
		s[1].Text = " selects by "
	}
	s = s.plain(".")
	if several > 0 {
		s = s.plain(" " + many(several, "pair is", "pairs are") + " written in more than one way.")
	}
	if within > 0 {
		s = s.plain(" " + many(within, "lies", "lie") + " within another.")
	}
	if empty > 0 {
		s = s.plain(" ").strong(many(empty, "pair can", "pairs can") + " never select anything in a namespace").plain(".")
	}
	return s
}

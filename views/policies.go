package views

import (
	"slices"
	"sort"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Filter narrows the list of policies; an empty field lets everything pass.
type Filter struct{ Kind, Resource, Namespace, Text string }

// Empty reports whether the filter asks for nothing.
func (f Filter) Empty() bool { return f == Filter{} }

// PoliciesPage is the list of policies.
type PoliciesPage struct {
	Lede   Sentence
	Filter Filter
	// Kinds, Resources and Namespaces are what the filter offers.
	Kinds, Resources, Namespaces []string
	Phases                       []PolicyPhase
	Shown, Total                 int
	// Kyverno says that there are policies of Kyverno, whose layers have marks of their own.
	Kyverno bool
}

// PolicyPhase is the part of the list that takes part at one stop of a request's way.
type PolicyPhase struct {
	Title  string
	Count  int
	Groups []PolicyGroup
}

// PolicyGroup is one object with those of its entries that pass the filter.
type PolicyGroup struct {
	*Group
	Rows []PolicyRow
}

// PolicyRow is one policy in the list.
type PolicyRow struct {
	*Entry
	Marks []Mark
	// State names a policy that does nothing: it has no binding, or its policy is missing.
	State string
	// Fails says what an error does.
	Fails string
}

// Mark is one layer in small: filled if it narrows.
type Mark struct{ Letter, Class, Label string }

// NewPoliciesPage filters the part of a catalog that takes part in admission.
func NewPoliciesPage(c *Catalog, f Filter) PoliciesPage {
	groups := c.Admission()
	page := PoliciesPage{Lede: policiesLede(groups), Filter: f, Total: countEntries(groups), Kyverno: c.Kyverno() != nil}
	kinds, resources := map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		kinds[g.Kind] = true
		shown := PolicyGroup{Group: g}
		for _, e := range g.Entries {
			for _, r := range e.Resources {
				if !strings.Contains(r, "*") {
					resources[r] = true
				}
			}
			if f.matches(e) {
				shown.Rows = append(shown.Rows, newPolicyRow(e))
			}
		}
		if len(shown.Rows) > 0 {
			page.add(shown)
		}
	}
	page.Kinds, page.Resources = keys(kinds), keys(resources)
	for _, ns := range c.Namespaces {
		page.Namespaces = append(page.Namespaces, ns.Name)
	}
	return page
}

func (p *PoliciesPage) add(g PolicyGroup) {
	title := phaseTitle(g.Phase)
	if g.behind() > 0 {
		title = "Kyverno, behind the " + strings.ToLower(title)
	}
	if n := len(p.Phases); n == 0 || p.Phases[n-1].Title != title {
		p.Phases = append(p.Phases, PolicyPhase{Title: title})
	}
	last := &p.Phases[len(p.Phases)-1]
	last.Groups = append(last.Groups, g)
	last.Count += len(g.Rows)
	p.Shown += len(g.Rows)
}

func newPolicyRow(e *Entry) PolicyRow {
	row := PolicyRow{Entry: e, Fails: fails(e.Policy.FailurePolicy)}
	switch {
	case unbound(e.Policy):
		row.State = "no binding"
	case policyMissing(e.Policy):
		row.State, row.Fails = "policy missing", ""
	}
	for _, l := range e.Own {
		if m := newMark(l); m.Class != "none" || !unmarked[l.Name] {
			row.Marks = append(row.Marks, m)
		}
	}
	for _, l := range e.Bound {
		if l.Narrows {
			row.Marks = append(row.Marks, newMark(l))
		}
	}
	return row
}

// unmarked are the layers that have no mark where they ask for nothing, which is the rule.
var unmarked = map[scope.LayerName]bool{
	scope.WebhookEntry: true, scope.Selection: true, scope.Exceptions: true, scope.ExcludeBlock: true,
	scope.MatchNamespaceSelector: true, scope.MatchObjectSelector: true,
}

func newMark(l Layer) Mark {
	switch {
	case l.Problem != "":
		return Mark{l.Letter, "err", l.Title + ": " + l.Problem}
	case l.Narrows:
		return Mark{l.Letter, "in", l.Title + ": narrows"}
	}
	return Mark{l.Letter, "none", l.Title + ": asks for nothing"}
}

// matches reports whether an entry passes the filter.
func (f Filter) matches(e *Entry) bool {
	return (f.Kind == "" || f.Kind == e.Policy.Kind) &&
		(f.Resource == "" || e.reaches(strings.ToLower(strings.TrimSpace(f.Resource)))) &&
		(f.Namespace == "" || slices.Contains(e.Namespaces, strings.TrimSpace(f.Namespace))) &&
		(f.Text == "" || containsAll(e.Words, strings.Fields(strings.ToLower(f.Text))))
}

func (e *Entry) reaches(resource string) bool {
	for _, l := range e.Own {
		for _, r := range l.Rules {
			if r.reaches(resource) {
				return true
			}
		}
	}
	return false
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func keys(set map[string]bool) []string {
	all := make([]string, 0, len(set))
	for k := range set {
		all = append(all, k)
	}
	sort.Strings(all)
	return all
}

// countEntries is the number of policies of some groups.
func countEntries(groups []*Group) int {
	n := 0
	for _, g := range groups {
		n += len(g.Entries)
	}
	return n
}

// policiesLede sums policies up.
func policiesLede(groups []*Group) Sentence {
	perPhase := map[scope.Phase]int{}
	var closed, idle, missing, behind int
	for _, g := range groups {
		behind += g.behind()
		for _, e := range g.Entries {
			perPhase[g.Phase] += 1 - g.behind()
			switch {
			case policyMissing(e.Policy):
				missing++
			case unbound(e.Policy):
				idle++
			case e.Policy.FailurePolicy != "Ignore":
				closed++
			}
		}
	}
	size := countEntries(groups)
	s := Sentence{}.strong(many(size, "policy", "policies")).plain(" stand in the way of a request: ")
	if size == 1 {
		s[1].Text = " stands in the way of a request: "
	}
	var parts []string
	for _, phase := range scope.Phases() {
		if n := perPhase[phase]; n > 0 {
			parts = append(parts, many(n, singular(phase), strings.ToLower(phaseTitle(phase))))
		}
	}
	if behind > 0 {
		parts = append(parts, many(behind, "policy", "policies")+" of Kyverno behind them")
	}
	s = s.plain(list(parts, "and") + ". ").plain(many(closed, "of them refuses", "of them refuse") + " the request if deciding fails.")
	if idle > 0 {
		s = s.plain(" ").strong(many(idle, "policy has", "policies have") + " no binding").plain(" and so no effect.")
	}
	if missing > 0 {
		s = s.plain(" ").strong(many(missing, "binding names", "bindings name") + " a policy that does not exist").plain(".")
	}
	return s
}

// singular is one policy of a phase.
func singular(p scope.Phase) string {
	title := strings.ToLower(phaseTitle(p))
	if isWebhook(p) {
		return strings.TrimSuffix(title, "s")
	}
	return strings.TrimSuffix(title, "ies") + "y"
}

// groupSize counts the entries of a group in the words of its kind.
func groupSize(g PolicyGroup) string {
	one, more := "binding", "bindings"
	if isWebhook(g.Phase) {
		one, more = "webhook", "webhooks"
	}
	if n := len(g.Rows); n < len(g.Entries) {
		return count(n) + " of " + many(len(g.Entries), one, more)
	}
	return many(len(g.Entries), one, more)
}

// entryName names an entry below the name of its object. A policy of Kyverno has no entries; its kind tells it apart from
// the webhooks that it stands among.
func entryName(p *scope.Policy) string {
	switch {
	case isKyverno(p):
		return p.Kind
	case p.Entry == "" || isWebhook(p.Phase):
		return p.Entry
	}
	return "binding " + p.Entry
}

// namespaceSet writes the namespaces that a policy can see for the filter in the page:
// an asterisk for all, or the names, or an exclamation mark and the names of all others,
// whichever is shorter.
func (r PolicyRow) namespaceSet() string {
	switch others := r.Others; {
	case len(others) == 0:
		return "*"
	case len(others) < len(r.Namespaces):
		return "! " + strings.Join(others, " ")
	}
	return strings.Join(r.Namespaces, " ")
}

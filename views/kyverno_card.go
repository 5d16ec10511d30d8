package views

import (
	"cmp"
	"slices"
	"strconv"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
	stored "github.com/ambit-k8s/ambit/scope/webhook"
)

// KyvernoHalf is one of the two configurations.
type KyvernoHalf struct {
	ID, Title, Name string
	// Note says something about the configuration as a whole.
	Note  string
	Cards []KyvernoCard
}

// KyvernoCard is one entry: a group of policies that share a webhook, or one policy with a webhook of its own.
type KyvernoCard struct {
	ID, Name string
	// Stem and Suffix are the two parts of the name; the suffix is a hash of the selectors.
	Stem, Suffix string
	// State says how the entry of the cluster compares.
	State Verdict
	Path  string
	// Namespaces and Objects are the requirements of the selectors; none select all.
	Namespaces, Objects []Chip
	// Asks says which requests the rules name.
	Asks    string
	OnError string
	// Alone says that the webhook serves one policy by itself.
	Alone       bool
	Members     []KyvernoPolicy
	Moved       []KyvernoMove
	Rules       []Rule
	Conditions  []Condition
	Extras      []string
	Differences []KyvernoDifference
}

// astray reports whether the cluster has the entry otherwise than predicted, or has it or lacks it unlike that.
func (c KyvernoCard) astray() bool { return c.State.Class == "err" || c.State.Class == "unk" }

// unlike names the fields that differ.
func (c KyvernoCard) unlike() string {
	fields := make([]string, len(c.Differences))
	for i, d := range c.Differences {
		fields[i] = d.Field
	}
	return list(fields, "and")
}

// KyvernoDifference is one field that the cluster has otherwise, line by line: "-" is predicted, "+" is in the cluster.
type KyvernoDifference struct {
	Field string
	Lines []DiffLine
}

// KyvernoMove is a policy because of which an entry has a suffix in its name, and what it would be called without.
type KyvernoMove struct {
	Because KyvernoPolicy
	Was     string
}

// kyvernoMoves are the moves by the name of the entry. Only a policy that is alone in one of two groups moves others:
// without it there is one group, and that has no suffix.
func kyvernoMoves(p *webhooks.Prediction) map[string][]KyvernoMove {
	suffixes := map[string]map[string]bool{}
	for _, e := range p.Entries {
		if suffixes[e.Base] == nil {
			suffixes[e.Base] = map[string]bool{}
		}
		suffixes[e.Base][e.Suffix] = true
	}
	moves, asked := map[string][]KyvernoMove{}, map[webhooks.Ref]bool{}
	for _, e := range p.Entries {
		if e.Suffix == "" || len(suffixes[e.Base]) > 2 || len(e.Members) != 1 || asked[e.Members[0]] {
			continue
		}
		by := e.Members[0]
		asked[by] = true
		for _, m := range p.Moved(by) {
			for _, now := range m.After {
				move := KyvernoMove{newKyvernoPolicy(by), list(m.Before, "and")}
				if !slices.Contains(m.Before, now) && !slices.Contains(moves[now], move) {
					moves[now] = append(moves[now], move)
				}
			}
		}
	}
	return moves
}

// newKyvernoHalf shows the validating or the mutating webhooks, predicted and observed, in the order of their names.
func newKyvernoHalf(r *kyverno.Report, mutating bool) KyvernoHalf {
	h := KyvernoHalf{ID: "validating", Title: "Validating webhooks", Name: webhooks.ValidatingName}
	observed := r.Observed.Validating != nil
	if mutating {
		h = KyvernoHalf{ID: "mutating", Title: "Mutating webhooks", Name: webhooks.MutatingName}
		observed = r.Observed.Mutating != nil
	}
	differs := map[string][]kyverno.Difference{}
	for _, d := range r.Differences {
		if d.Configuration == h.Name {
			differs[d.Entry] = append(differs[d.Entry], d)
		}
	}
	moves := kyvernoMoves(r.Predicted)
	for _, e := range r.Predicted.Entries {
		if e.Mutating == mutating {
			c := newKyvernoCard(e, observed, differs[e.Name])
			c.Moved = moves[e.Name]
			h.Cards = append(h.Cards, c)
			delete(differs, e.Name)
		}
	}
	for name, ds := range differs {
		if e, ok := observedEntry(r.Observed, mutating, name); ok && ds[0].Kind == kyverno.Unexpected {
			h.Cards = append(h.Cards, unexpectedCard(ds[0], e))
		}
	}
	if !observed && r.Observed.Any() && len(h.Cards) > 0 {
		h.Note = "The cluster has no configuration of this name, so what is predicted decides."
	}
	slices.SortFunc(h.Cards, func(a, b KyvernoCard) int { return cmp.Compare(a.Name, b.Name) })
	for i := range h.Cards {
		h.Cards[i].ID = h.ID + "-" + strconv.Itoa(i+1)
	}
	return h
}

func newKyvernoCard(e *webhooks.Entry, observed bool, differs []kyverno.Difference) KyvernoCard {
	c := KyvernoCard{
		Name: e.Name, Stem: e.Name, Path: e.Path, Namespaces: chipsOf(e.NamespaceSelector), Objects: chipsOf(e.ObjectSelector),
		OnError: goesOn(string(e.FailurePolicy)), Alone: e.FineGrained, Rules: newRules(plainRulesOf(e.Rules)), Conditions: newConditions(e.Conditions),
		State: Verdict{"in", "as predicted"},
	}
	c.Asks = rulesPhrase(c.Rules)
	if n := len(e.Name) - len(e.Suffix); e.Suffix != "" {
		c.Stem, c.Suffix = e.Name[:n], e.Name[n:]
	}
	if !observed {
		c.State = Verdict{"out", "predicted"}
	}
	for _, m := range e.Members {
		v := newKyvernoPolicy(m)
		v.Gives = slices.Contains(e.Givers, m)
		c.Members = append(c.Members, v)
	}
	if e.MatchPolicy != nil {
		c.Extras = append(c.Extras, "matchPolicy "+string(*e.MatchPolicy))
	}
	if e.TimeoutSeconds != nil {
		c.Extras = append(c.Extras, "timeout "+strconv.Itoa(int(*e.TimeoutSeconds))+" s")
	}
	for _, d := range differs {
		if d.Kind == kyverno.Missing {
			c.State = Verdict{"err", "not in the cluster"}
			continue
		}
		c.State = Verdict{"unk", "differs"}
		c.Differences = append(c.Differences, KyvernoDifference{d.Field, diffLines(d.Predicted, d.Observed)})
	}
	return c
}

// observedEntry returns an entry of the cluster.
func observedEntry(o kyverno.Observed, mutating bool, name string) (stored.Entry, bool) {
	var entries []stored.Entry
	switch {
	case mutating && o.Mutating != nil:
		entries = stored.Mutating(o.Mutating)
	case !mutating && o.Validating != nil:
		entries = stored.Validating(o.Validating)
	}
	i := slices.IndexFunc(entries, func(e stored.Entry) bool { return e.Name == name })
	if i < 0 {
		return stored.Entry{}, false
	}
	return entries[i], true
}

// unexpectedCard shows an entry of the cluster that nothing predicts.
func unexpectedCard(d kyverno.Difference, e stored.Entry) KyvernoCard {
	c := KyvernoCard{
		Name: d.Entry, Stem: d.Entry, State: Verdict{"err", "not predicted"}, Members: kyvernoPolicies(d.Policies),
		Namespaces: chipsOf(e.NamespaceSelector), Objects: chipsOf(e.ObjectSelector),
		Rules: newRules(plainRulesOf(e.Rules)), Conditions: newConditions(e.Conditions),
	}
	c.Asks = rulesPhrase(c.Rules)
	if s := e.Client.Service; s != nil && s.Path != nil {
		c.Path = *s.Path
	}
	if e.FailurePolicy != nil {
		c.OnError = goesOn(string(*e.FailurePolicy))
	}
	return c
}

// newConditions shows match conditions.
func newConditions(written []v1.MatchCondition) []Condition {
	all := make([]Condition, 0, len(written))
	for _, c := range written {
		all = append(all, Condition{Name: c.Name, Code: Tokens(c.Expression)})
	}
	return all
}

// plainRulesOf gives the rules of a webhook the form that a policy's rules have.
func plainRulesOf(rules []v1.RuleWithOperations) []v1.NamedRuleWithOperations {
	named := make([]v1.NamedRuleWithOperations, len(rules))
	for i, r := range rules {
		named[i].RuleWithOperations = r
	}
	return named
}

// goesOn says what becomes of a request when a webhook fails.
func goesOn(failurePolicy string) string {
	if failurePolicy == string(v1.Ignore) {
		return "the request goes on"
	}
	return "the request is refused"
}

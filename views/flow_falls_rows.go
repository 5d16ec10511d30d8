package views

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// isAccounts reports whether a row is of service accounts, which share none with others.
func isAccounts(r *flow.Row) bool {
	return len(r.Namespaces) > 0 || len(r.Others) > 0 && r.Others[0].Account != ""
}

// fallNames names those of a row: service accounts by their namespace where all of it are
// in the row, with a star as in the subject of a FlowSchema.
func fallNames(r *flow.Row) []string {
	all := make([]string, 0, len(r.Namespaces)+len(r.Others))
	for _, n := range r.Namespaces {
		all = append(all, n.Namespace+"/* ("+count(n.Accounts)+")")
	}
	for _, who := range r.Others {
		if who.Account != "" {
			all = append(all, who.Namespace+"/"+who.Account)
		} else {
			all = append(all, who.Label)
		}
	}
	if len(all) > mostNames {
		all = append(all[:mostNames], "and "+count(len(all)-mostNames)+" more")
	}
	return all
}

// mostNames bounds what a row names: nobody reads more, and a page of them is slow.
const mostNames = 300

// firstOfNamespace is one service account for each namespace.
func firstOfNamespace(who []flow.Identity) map[string]flow.Identity {
	first := map[string]flow.Identity{}
	for _, w := range who {
		if _, known := first[w.Namespace]; !known && w.Account != "" {
			first[w.Namespace] = w
		}
	}
	return first
}

// oneOf is somebody of a row.
func oneOf(r *flow.Row, ofNamespace map[string]flow.Identity) flow.Identity {
	if len(r.Others) > 0 {
		return r.Others[0]
	}
	return ofNamespace[r.Namespaces[0].Namespace]
}

// onlyVerbs leaves verbs out of a matrix, and puts the rows together that differ in nothing
// else.
func onlyVerbs(m flow.Matrix, verbs ...string) flow.Matrix {
	kept := flow.Matrix{Verbs: verbs}
	for _, r := range m.Rows {
		var falls []flow.Fall
		for i, f := range r.Falls {
			if slices.Contains(verbs, m.Verbs[i]) {
				falls = append(falls, f)
			}
		}
		r.Falls = falls
		r.StandsOut = slices.ContainsFunc(falls, func(f flow.Fall) bool { return f.StandsOut })
		i := slices.IndexFunc(kept.Rows, func(k flow.Row) bool {
			return isAccounts(&k) == isAccounts(&r) && slices.EqualFunc(k.Falls, r.Falls, sameFall)
		})
		if i < 0 {
			kept.Rows = append(kept.Rows, r)
			continue
		}
		same := &kept.Rows[i]
		same.Count += r.Count
		same.Namespaces = append(slices.Clip(same.Namespaces), r.Namespaces...)
		same.Others = append(slices.Clip(same.Others), r.Others...)
	}
	return kept
}

func sameFall(a, b flow.Fall) bool {
	return a.Schema == b.Schema && a.Bypass == b.Bypass && slices.Equal(a.Missing, b.Missing)
}

// fallsLede sums a matrix up.
func fallsLede(m flow.Matrix, ask *FlowAsk) Sentence {
	accounts, odd := 0, 0
	for i := range m.Rows {
		if isAccounts(&m.Rows[i]) {
			accounts += m.Rows[i].Count
			if m.Rows[i].StandsOut {
				odd += m.Rows[i].Count
			}
		}
	}
	s := Sentence{}.plain("Everybody asks for ").strong(asked(ask)).plain(". ")
	switch {
	case accounts == 0:
		return s.plain("No service accounts are known.")
	case odd == 0:
		return s.plain("None of " + many(accounts, "service account", "service accounts") + " falls in " + lastResorts + ".")
	}
	return s.strong(many(odd, "service account", "service accounts")).plain(" of " + count(accounts) + " " + plural(odd, "falls", "fall") + " in " + lastResorts + ".")
}

// lastResorts are the schemas in which service accounts stand out.
const lastResorts = "global-default or catch-all, which are meant for others"

// asked says what everybody asks for.
func asked(ask *FlowAsk) string {
	t := &ask.Target
	if t.Path != "" {
		return t.Path
	}
	what := t.Resource
	if t.Subresource != "" {
		what += "/" + t.Subresource
	}
	if t.APIGroup != "" {
		what += " of " + t.APIGroup
	}
	switch {
	case t.Own:
		return what + " in a namespace of their own, or else in " + t.Namespace
	case ask.Everywhere:
		return what + " of all namespaces"
	case t.Namespace == "":
		return what
	}
	return what + " in " + t.Namespace
}

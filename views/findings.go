package views

import (
	"net/url"

	"github.com/ambit-k8s/ambit/scope/hazard"
)

// FindingList is what was found in the scopes of policies, the gravest first.
type FindingList struct {
	Findings []FindingView
	// Looking says that nothing is known yet, because the search is not done.
	Looking bool
	// Named says that each finding has to name its policy.
	Named bool
}

// FindingView is one scope that does not do what its author meant.
type FindingView struct {
	// Class and Word tell how sure it is that somebody should act.
	Class, Word string
	// Title names the policy and Href leads to it; Rule is the name in the contract.
	Title, Href, Rule string
	Message, Why, Fix string
	// Field is the place in the manifest, and Excerpt what stands there.
	Field, Excerpt string
	// Objects is how many objects it concerns; empty if that is not known.
	Objects string

	group groupKey
}

// severities are the class and the word for each severity.
var severities = map[hazard.Severity]struct{ class, word string }{
	hazard.Error: {"err", "error"}, hazard.Warning: {"unk", "warning"}, hazard.Info: {"out", "to know"},
}

// NewFindings shows what was found in the policies of a catalog. Known is false as long as
// nobody has finished looking.
func NewFindings(found []hazard.Finding, known bool) FindingList {
	why := map[string]string{}
	for _, r := range hazard.Rules() {
		why[r.Name] = r.Why
	}
	l := FindingList{Looking: !known, Named: true}
	for _, f := range found {
		s := severities[f.Severity]
		v := FindingView{
			Class: s.class, Word: s.word, Rule: f.Rule, Title: f.Name, Href: "/policies/" + f.Kind + "/" + url.PathEscape(f.Name),
			Message: f.Message, Why: why[f.Rule], Fix: f.Fix, Field: f.Field, Excerpt: excerpt(f.Policy, f.Field),
			group: groupKey{f.Kind, f.Name},
		}
		if f.Entry != "" && f.Entry != f.Name {
			v.Title += " / " + f.Entry
		}
		if f.Entry != "" {
			v.Href += "#" + url.PathEscape(f.Entry)
		}
		if f.Objects != nil {
			v.Objects = many(*f.Objects, "object", "objects")
		}
		l.Findings = append(l.Findings, v)
	}
	return l
}

// Of returns the findings about one configuration or admission policy, to be shown on its
// own page.
func (l FindingList) Of(kind, name string) FindingList {
	own := FindingList{Looking: l.Looking}
	for _, f := range l.Findings {
		if f.group == (groupKey{kind, name}) {
			own.Findings = append(own.Findings, f)
		}
	}
	return own
}

// fewFindings are shown at once; the rest is folded.
const fewFindings = 5

package views

import (
	"net/url"
	"slices"

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
	// Title names the policy and Href leads to it, if the finding is in one; Rule is the name in
	// the contract.
	Title, Href, Rule string
	Message, Why, Fix string
	// Field is the place in the manifest, and Excerpt what stands there.
	Field, Excerpt string
	// Objects is how many objects it concerns; empty if that is not known.
	Objects string
	// Links lead to more than one policy, or to what else the finding is about.
	Links []Link

	// groups are the objects on whose pages the finding stands.
	groups []groupKey
}

// Link leads somewhere.
type Link struct{ Href, Title string }

// severities are the class and the word for each severity.
var severities = map[hazard.Severity]struct{ class, word string }{
	hazard.Error: {"err", "error"}, hazard.Warning: {"unk", "warning"}, hazard.Info: {"out", "to know"},
}

// NewFindings shows what was found in the policies of a catalog. Known is false as long as
// nobody has finished looking.
func NewFindings(found []hazard.Finding, known bool) FindingList {
	l := FindingList{Looking: !known, Named: true}
	for _, f := range found {
		s := severities[f.Severity]
		v := FindingView{
			Class: s.class, Word: s.word, Rule: f.Rule, Title: policyName(f.Namespace, f.Name),
			Message: f.Message, Why: f.Why, Fix: f.Fix, Field: f.Field, Excerpt: excerpt(f.Policy, f.Field),
			groups: []groupKey{{f.Kind, policyName(f.Namespace, f.Name)}},
		}
		if f.Policy != nil {
			v.Href = policyHref(f.Kind, f.Namespace, f.Name)
			if f.Policy.Entry != "" && f.Entry != "" {
				v.Href += "#" + url.PathEscape(f.Entry)
			}
		}
		v.also(f.Also)
		if f.Entry != "" && f.Entry != f.Name {
			v.Title += " / " + f.Entry
		}
		if f.Objects != nil {
			v.Objects = many(*f.Objects, "object", "objects")
		}
		l.Findings = append(l.Findings, v)
	}
	return l
}

// also leads to the other policies that a finding is about, and shows it on their pages.
func (v *FindingView) also(others []hazard.Ref) {
	if len(others) == 0 {
		return
	}
	if v.Href != "" {
		v.Links = append(v.Links, Link{v.Href, v.Title})
	}
	for _, r := range others {
		title := policyName(r.Namespace, r.Name)
		v.Links = append(v.Links, Link{policyHref(r.Kind, r.Namespace, r.Name), title})
		v.groups = append(v.groups, groupKey{r.Kind, title})
	}
	v.Title += " and " + count(len(others)) + " more"
}

// Of returns the findings about one configuration or admission policy, to be shown on its
// own page.
func (l FindingList) Of(kind, name string) FindingList {
	own := FindingList{Looking: l.Looking}
	here := "/policies/" + kind + "/" + url.PathEscape(name)
	for _, f := range l.Findings {
		if slices.Contains(f.groups, groupKey{kind, name}) {
			f.Links = slices.DeleteFunc(slices.Clone(f.Links), func(k Link) bool { return k.Href == here })
			own.Findings = append(own.Findings, f)
		}
	}
	return own
}

// fewFindings are shown at once; the rest is folded. Of many things that a finding is about, it leads to fewLinks.
const (
	fewFindings = 5
	fewLinks    = 12
)

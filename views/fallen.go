package views

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// FallenPage lists the objects that a layer of a policy left out, or that the policy
// reached.
type FallenPage struct {
	// Title is that of the window, Heading what stands on the page.
	Title, Heading string
	// Name and Href are those of the policy.
	Name, Href string
	Lede       Sentence
	Groups     []FallenGroup
	// Everything leads from one group to all of them.
	Everything string
	Objects    []FallenObject
	// Mixed says that the objects differ in what became of them.
	Mixed bool
	// From and To are the places of the first and the last object in the whole list.
	From, To, Total string
	Previous, Next  string
	CSV, JSON       string
	Lower           []string
}

// FallenGroup is a group that can be chosen.
type FallenGroup struct {
	FunnelGroup
	Chosen bool
}

// FallenObject is one object of the list.
type FallenObject struct {
	Resource, Namespace, Name, Href string
	// Explore leads to the explore page with the object, where it can be had.
	Explore     string
	Class, Word string
	// Because says what was observed, where something decided.
	Because Sentence
}

// FallenAsk is which objects of which policy are wanted.
type FallenAsk struct {
	Entry   *Entry
	Layer   scope.LayerName
	Outcome scope.Outcome
	// Group is the key of one group; empty for all.
	Group string
	// Page counts from 1.
	Page int
	// Asked is the question about every object.
	Asked Asked
	// Contents says that the objects can be had as a whole.
	Contents bool
}

// FallenPageSize is how many objects a page lists.
const FallenPageSize = 100

// NewFallenPage shows a part of a list of objects. Groups are all groups, total is the
// number of objects in the whole list.
func NewFallenPage(ask FallenAsk, groups []coverage.Group, objects []FallenObject, total int, gaps []ResourceGap) FallenPage {
	e := ask.Entry
	page := FallenPage{Name: e.Title(), Href: href(policyHref(e.Policy.Kind, e.Policy.Namespace, e.Policy.Name), ask.Asked.values()) + e.fragment()}
	page.Heading, page.Lede = fallenWords(ask, total)
	page.Title = page.Heading + ": " + page.Name
	for _, g := range NewFunnelGroups(e, groups) {
		v := FallenGroup{FunnelGroup: g}
		v.Href = ask.href(v.Key, 1, "")
		v.Chosen = v.Key == ask.Group
		page.Groups = append(page.Groups, v)
	}
	if ask.Group != "" {
		page.Everything = ask.href("", 1, "")
	}
	page.Objects, page.Mixed = objects, ask.Outcome == ""
	first := (ask.Page - 1) * FallenPageSize
	page.From, page.To, page.Total = count(first+1), count(first+len(objects)), count(total)
	if ask.Page > 1 {
		page.Previous = ask.href(ask.Group, ask.Page-1, "")
	}
	if first+len(objects) < total {
		page.Next = ask.href(ask.Group, ask.Page+1, "")
	}
	page.CSV, page.JSON = ask.href(ask.Group, 1, "csv"), ask.href(ask.Group, 1, "json")
	var f Funnel
	f.gaps(e, gaps)
	page.Lower = f.Lower
	return page
}

// NewFallenObject shows an object with what became of it.
func NewFallenObject(ask FallenAsk, o coverage.Object, e scope.Ending) FallenObject {
	v := FallenObject{
		Resource: o.Resource.GroupResource().String(), Namespace: o.Namespace, Name: o.Name,
		Href: ObjectHref(ask.Asked, o), Explore: ExploreHref(ask.Asked, o, ask.Contents),
	}
	switch e.Outcome {
	case scope.Included:
		v.Class, v.Word = "in", "reached"
	case scope.Error:
		v.Class, v.Word = "err", "fails"
	case scope.Unknown:
		v.Class, v.Word = "unk", "cannot tell"
	default:
		v.Class, v.Word = "out", "excluded"
	}
	return v
}

func fallenWords(ask FallenAsk, total int) (heading string, lede Sentence) {
	name := ask.Entry.Title()
	objects := Sentence{}.strong(many(total, "object", "objects"))
	layer := strings.ToLower(titles[ask.Layer])
	if layer == "" {
		layer = string(ask.Layer)
	}
	switch ask.Outcome {
	case scope.Included:
		return "What it reaches", objects.plain(verb(total, " is", " are") + " reached.")
	case scope.Error:
		return "Where it fails", objects.plain(verb(total, " fails", " fail") + " its match and " + verb(total, "is", "are") + " " + map[bool]string{true: "skipped", false: "refused"}[ask.Entry.Policy.FailurePolicy == "Ignore"] + ".")
	case scope.Unknown:
		return "What cannot be told", Sentence{}.plain("Of ").strong(many(total, "object", "objects")).plain(" it cannot be told whether " + name + " reaches " + verb(total, "it", "them") + ".")
	case scope.Excluded:
		if ask.Layer != "" {
			return "What falls out", objects.plain(verb(total, " falls", " fall") + " out at the ").strong(layer).plain(".")
		}
		return "What falls out", objects.plain(verb(total, " falls", " fall") + " out.")
	}
	return "Objects of its resources", objects.plain(verb(total, " is", " are") + " of a resource that its rules name.")
}

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// href is the address of another part of the list.
func (a FallenAsk) href(group string, page int, format string) string {
	which := url.Values{}
	for name, value := range map[string]string{"layer": string(a.Layer), "outcome": string(a.Outcome), "group": group, "format": format} {
		if value != "" {
			which.Set(name, value)
		}
	}
	if page > 1 {
		which.Set("page", strconv.Itoa(page))
	}
	return a.Entry.objectsHref(a.Asked, which)
}

// chosen is the group whose objects are listed, if it is one.
func (p FallenPage) chosen() (FallenGroup, bool) {
	i := slices.IndexFunc(p.Groups, func(g FallenGroup) bool { return g.Chosen })
	if i < 0 {
		return FallenGroup{}, false
	}
	return p.Groups[i], true
}

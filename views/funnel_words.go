package views

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// FunnelGroup is objects that one layer decided about for one reason.
type FunnelGroup struct {
	// Key names the group in addresses.
	Key string
	// Objects is their number with the resource, if it is one: 412 pods.
	Objects string
	// Because says what was observed, and Needs what the requirement asks for.
	Because Sentence
	Needs   string
	Field   string
	Href    string

	objects   int
	resources []string
}

// line says how many objects, what was observed, and what was needed.
func (g FunnelGroup) line() Sentence {
	s := append(Sentence{}.link(g.Objects, g.Href).plain(": "), g.Because...)
	if g.Needs != "" {
		s = s.plain("; needs ").quoted(g.Needs)
	}
	return s
}

// funnelGroups says why a layer decided as it did about the objects with one outcome, and
// how many of these have no labels.
func funnelGroups(ctx context.Context, e *Entry, src FunnelSource, index int, layer scope.LayerName, outcome scope.Outcome) (shown []FunnelGroup, unlabelled int) {
	groups, err := src.Result.Groups(ctx, index, layer)
	if err != nil {
		return nil, 0
	}
	groups = slices.DeleteFunc(groups, func(g coverage.Group) bool { return g.Ending.Outcome != outcome })
	for _, g := range groups {
		unlabelled += g.Unlabelled
	}
	shown = NewFunnelGroups(e, groups)
	for i := range shown {
		shown[i].Href = e.objectsHref(src.Asked, url.Values{"layer": {string(layer)}, "outcome": {string(outcome)}, "group": {shown[i].Key}})
	}
	return shown, unlabelled
}

// NewFunnelGroups puts groups into words, those of several resources with the same reason
// together; the largest come first.
func NewFunnelGroups(e *Entry, groups []coverage.Group) []FunnelGroup {
	var shown []FunnelGroup
	at := map[string]int{}
	for _, g := range groups {
		key := GroupKey(g)
		i, known := at[key]
		if !known {
			i = len(shown)
			at[key] = i
			shown = append(shown, FunnelGroup{Key: key, Because: Because(e, g), Needs: requirement(g), Field: g.Reason.Field})
		}
		shown[i].objects += g.Objects
		shown[i].resources = append(shown[i].resources, g.Resource.Resource)
	}
	for i, g := range shown {
		shown[i].Objects = resourceCount(g.objects, g.resources[0])
		if n := len(g.resources); n > 1 {
			shown[i].Objects = fmt.Sprintf("%s of %d resources", many(g.objects, "object", "objects"), n)
		}
	}
	slices.SortStableFunc(shown, func(a, b FunnelGroup) int { return b.objects - a.objects })
	return shown
}

// GroupKey names the reason of a group as it is shown. Groups of several resources may
// have the same.
func GroupKey(g coverage.Group) string {
	h := fnv.New32a()
	_, _ = fmt.Fprint(h, g.Ending.Outcome, "\x00", g.Ending.DecidedBy, "\x00", g.Reason.Field, "\x00", cmp.Or(g.Reason.Message, g.Reason.Got))
	return fmt.Sprintf("%08x", h.Sum32())
}

// Because says what was observed of the objects of a group.
func Because(e *Entry, g coverage.Group) Sentence {
	r := g.Reason
	if c := e.condition(r.Field); c != nil {
		return conditionSaid(c.Name, g.Ending.Outcome, r)
	}
	switch layer := g.Ending.DecidedBy; {
	case r.Got == "" && r.Message == "":
		return Sentence{}.plain("for other reasons")
	case g.Ending.Outcome == scope.Unknown && r.Message == "":
		return Sentence{}.plain("the labels are not known")
	case r.Message != "":
		return Sentence{}.plain(running(r.Message))
	case layer == scope.NamespaceSelector, layer == scope.BindingNamespaceSelector, layer == scope.WebhookNamespaceSelector, layer == scope.MatchNamespaceSelector:
		if strings.HasPrefix(r.Path, "namespace/") {
			return Sentence{}.plain("the namespace has ").quoted(r.Got)
		}
		return Sentence{}.plain("the object has ").quoted(r.Got)
	case ofObject(layer):
		return Sentence{}.plain("the object has ").quoted(r.Got)
	case layer == scope.ResourceRules, layer == scope.BindingResourceRules, layer == scope.WebhookResourceRules, layer == scope.MatchResourceRules:
		return Sentence{}.plain("the request has ").quoted(r.Got)
	}
	return Sentence{}.quoted(r.Got)
}

// running is a sentence as a part of another one. It begins small, unless with a name.
func running(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	switch first, _, _ := strings.Cut(sentence, " "); first {
	case "A", "An", "It", "No", "Nothing", "The", "There":
		return strings.ToLower(sentence[:1]) + sentence[1:]
	}
	return sentence
}

// conditionSaid says what a match condition came to.
func conditionSaid(name string, outcome scope.Outcome, r scope.Reason) Sentence {
	s := Sentence{}.plain("condition ").quoted(name)
	switch outcome {
	case scope.Error:
		return s.plain(" fails: ").quoted(r.Message)
	case scope.Unknown:
		return s.plain(" " + strings.TrimSuffix(strings.ReplaceAll(r.Message, "It depends", "depends"), "."))
	}
	return s.plain(" is false")
}

// requirement is what was asked for, where it says more than what was observed.
func requirement(g coverage.Group) string {
	if g.Reason.Message != "" || g.Ending.DecidedBy.AreConditions() {
		return ""
	}
	return g.Reason.Want
}

// reaches is the first sentence of a funnel.
func reaches(e *Entry, c coverage.Counts) Sentence {
	switch {
	case c.Applicable == 0:
		return Sentence{}.plain("None of the objects that exist is of a resource that its rules name.")
	case c.Included == c.Applicable && c.Included == 1:
		return Sentence{}.plain("Reaches ").strong("the only object").plain(" of its resources.")
	case c.Included == c.Applicable:
		return Sentence{}.plain("Reaches ").strong("all " + count(int(c.Applicable)) + " objects").plain(" of its resources.")
	}
	s := Sentence{}.plain("Of " + many(int(c.Applicable), "object", "objects") + " of its resources it ")
	switch {
	case c.Unknown == 0:
		s = s.plain("reaches ").strong(countOrNone(c.Included))
	case c.Included == 0:
		s = s.plain("may reach ").strong(count(int(c.Unknown)))
	default:
		s = s.plain("reaches ").strong(count(int(c.Included))).plain(" and may reach ").strong(count(int(c.Unknown))).plain(" more")
	}
	if c.Error > 0 {
		s = s.plain("; ").strong(count(int(c.Error))).plain(" " + failsAnd(e.Policy.FailurePolicy, c.Error))
	}
	return s.plain(".")
}

func failsAnd(failurePolicy string, n int32) string {
	verb := map[bool]string{true: "fails and is ", false: "fail and are "}[n == 1]
	if failurePolicy == "Ignore" {
		return verb + "skipped"
	}
	return verb + "refused"
}

func countOrNone(n int32) string {
	if n == 0 {
		return "none"
	}
	return count(int(n))
}

// resourceCount writes a number with a resource, which is a plural.
func resourceCount(n int, resource string) string { return many(n, singleResource(resource), resource) }

// singleResource is the name of one object of a resource, as the kinds of Kubernetes form their
// plurals.
func singleResource(resource string) string {
	for _, ending := range []struct{ more, one string }{{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"ss", "ss"}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(resource, ending.more); ok {
			return stem + ending.one
		}
	}
	return resource
}

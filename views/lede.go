package views

import (
	"context"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// resultLede answers in a sentence: how many policies see the request, what goes wrong,
// what cannot be told, and how many more would see it but for a label.
func resultLede(ctx context.Context, c *Catalog, traces []*scope.Trace) Sentence {
	var in, refused, skipped, open int
	for _, t := range traces {
		switch {
		case t.Effect == scope.Rejected:
			refused++
		case t.Outcome == scope.Error:
			skipped++
		case t.Outcome == scope.Unknown:
			open++
		case t.Outcome == scope.Included:
			in++
		}
	}
	if len(traces) == 0 {
		return Sentence{}.strong("No policies").plain(" are there, so nothing sees this request.")
	}
	verb := " see this request."
	if in == 1 || len(traces) == 1 {
		verb = " sees this request."
	}
	s := Sentence{}.strong(count(in) + " of " + many(len(traces), "policy", "policies")).plain(verb)
	if refused > 0 {
		s = s.plain(" ").strong(many(refused, "refuses", "refuse") + " it").plain(" without having looked at it.")
	}
	if skipped > 0 {
		s = s.plain(" " + many(skipped, "fails and is", "fail and are") + " skipped.")
	}
	if open > 0 {
		s = s.plain(" " + count(open) + " cannot be decided from what is given.")
	}
	for _, w := range wouldSee(ctx, c, traces) {
		s = s.plain(" " + count(w.count) + " more would, " + w.word + " the label ").quoted(w.label).plain(".")
	}
	return s
}

// would is a change of one label of the object and how many more policies would then see
// the request.
type would struct {
	word, label string
	count       int
}

// most bounds how many changes the lede offers; the rows say the rest.
const most = 2

// wouldSee finds the policies that are excluded by one requirement on the object's labels
// and by nothing else.
func wouldSee(ctx context.Context, c *Catalog, traces []*scope.Trace) []would {
	var all []would
	for _, t := range traces {
		if t.Outcome != scope.Excluded || t.DecidedBy != scope.ObjectSelector && t.DecidedBy != scope.BindingObjectSelector {
			continue
		}
		word, label, ok := oneLabel(ctx, t)
		if !ok || c.Entry(t.Policy) == nil {
			continue
		}
		if i := slices.IndexFunc(all, func(w would) bool { return w.word == word && w.label == label }); i >= 0 {
			all[i].count++
		} else {
			all = append(all, would{word, label, 1})
		}
	}
	slices.SortStableFunc(all, func(a, b would) int { return b.count - a.count })
	return all[:min(len(all), most)]
}

// oneLabel returns the label that alone keeps a policy from a request.
func oneLabel(ctx context.Context, t *scope.Trace) (word, label string, ok bool) {
	at := deciding(t)
	for i, step := range t.Steps(ctx) {
		if i != at && step.Outcome != scope.Match {
			return "", "", false
		}
	}
	var failing *scope.Reason
	for _, r := range t.Reasons(ctx, at) {
		if r.Outcome != scope.NoMatch || !strings.HasPrefix(r.Path, "object.metadata.labels") {
			continue
		}
		if failing != nil {
			return "", "", false
		}
		failing = &r
	}
	if failing == nil {
		return "", "", false
	}
	key, rest, _ := strings.Cut(failing.Want, " ")
	switch operator, values, _ := strings.Cut(rest, " "); operator {
	case "DoesNotExist":
		return "without", key, true
	case "NotIn":
		return "without", failing.Got, true
	case "Exists":
		return "with", key, true
	case "In":
		first, _, _ := strings.Cut(strings.Trim(values, "[]"), ", ")
		return "with", key + "=" + first, true
	}
	return "", "", false
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// writeCoverageText writes an answer for a person to read: the policies in the order in
// which a request meets them, and then the objects that meet none.
func writeCoverageText(ctx context.Context, w io.Writer, a coverageAnswer) error {
	t := newText(w)
	t.line(0, "%s, as %s of each would be seen; %s.", count(a.Population().Len(), "object", "objects"), written(a.Ask()), writtenBy(a.Ask()))
	for _, phase := range scope.Phases() {
		t.covered(ctx, phase, a)
	}
	if a.Len() == 0 {
		t.line(0, "\nThere are no admission policies.")
	}
	t.unreached(a)
	return cmp.Or(t.err, ctx.Err())
}

// written names what is asked about each object.
func written(a coverage.Ask) string {
	words := "a " + string(a.Operation)
	if strings.HasPrefix(words, "a U") {
		words = "an " + string(a.Operation)
	}
	return words
}

// writtenBy says who asks.
func writtenBy(a coverage.Ask) string {
	if a.User == nil {
		return "who asks is open"
	}
	words := "asked by " + who(&scope.Request{User: a.User})
	if open := paths(a.Open); open != "" {
		words += ", open: " + open
	}
	return words
}

// covered writes the table of the policies at one stop of a request.
func (t *text) covered(ctx context.Context, phase scope.Phase, a coverageAnswer) {
	head := false
	for i := range a.Len() {
		p := a.Policy(i)
		if p.Phase != phase {
			continue
		}
		if !head {
			t.line(0, "\n%s", t.paint(bold, phases[phase]))
			t.line(1, "%s", t.paint(faint, "applicable  included     error   unknown"))
			head = true
		}
		c := a.Total(i)
		t.line(1, "%10d%s%s%s  %s", c.Applicable, t.number(scope.Included, c.Included), t.number(scope.Error, c.Error), t.number(scope.Unknown, c.Unknown), oneLine(p.Title()))
		t.below(funnel(c, a.Funnel(i)))
		t.example(ctx, a, i, scope.Error)
		t.example(ctx, a, i, scope.Unknown)
	}
}

// below writes a line under the name of a policy.
func (t *text) below(words string) { t.line(1, "%42s%s", "", t.paint(faint, words)) }

// number writes a count in the colour of its outcome, unless it is none.
func (t *text) number(o scope.Outcome, n int32) string {
	text := fmt.Sprintf("%10d", n)
	if n == 0 {
		return text
	}
	return t.paint(outcomes[o], text)
}

// funnel says in words which layers let objects fall out, the first one first.
func funnel(c coverage.Counts, drops []coverage.Drop) string {
	if c.Applicable == 0 {
		return "its rules name none of the objects"
	}
	var words []string
	for _, d := range drops {
		switch {
		case d.Fallen == 0:
		case len(words) > 0:
			words = append(words, fmt.Sprintf("%d at %s", d.Fallen, d.Layer))
		case d.Fallen == 1:
			words = append(words, fmt.Sprintf("1 falls out at %s", d.Layer))
		default:
			words = append(words, fmt.Sprintf("%d fall out at %s", d.Fallen, d.Layer))
		}
	}
	if len(words) == 0 {
		return "none falls out"
	}
	return strings.Join(words, ", ")
}

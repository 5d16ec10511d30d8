package main

import (
	"context"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// policy writes one policy: the verdict, and every layer that speaks against the request
// or cannot be decided. Fixing only the first of them is the usual trap.
func (t *text) policy(ctx context.Context, trace *scope.Trace, verbose bool) {
	p := trace.Policy
	name := p.Title()
	verdict := t.paint(outcomes[trace.Outcome], string(trace.Outcome))
	if trace.Effect != "" {
		name += "  (" + effects[trace.Effect] + ")"
	}
	t.line(1, "%s  %s", verdict, name)
	if p.Origin != "" && verbose {
		t.line(3, "%s", t.paint(faint, p.Origin))
	}
	r := room("")
	for i, step := range trace.Steps(ctx) {
		layer := p.Layers[i].Name()
		if step.Aside || !verbose && (step.Outcome == scope.Match && layer != trace.DecidedBy || isIdle(trace, layer, step)) {
			continue
		}
		if here := roomOf(p, layer); here != r {
			r = here
			t.line(2, "%s", t.paint(faint, string(r)))
		}
		decides := layer == trace.DecidedBy && trace.Outcome != scope.Unknown
		t.layer(layer, step, decides, trace.Reasons(ctx, i))
	}
	for _, m := range trace.Missing() {
		t.line(3, "It depends on %s (%s).", m.Fact, m.Path)
	}
}

// room is a place where layers of a policy are asked, as a heading. Most policies have one, which needs none.
type room string

// roomOf returns the room of a layer: a policy that rides on a webhook has one before the call and one behind it.
func roomOf(p *scope.Policy, layer scope.LayerName) room {
	switch {
	case !p.Layers[0].Name().OfWebhook():
		return ""
	case layer.OfWebhook():
		return "in the API server, which calls a webhook for it"
	}
	return "behind the webhook, in the server that is called"
}

// isIdle reports whether a layer says nothing of use: the order among FlowSchemas is open,
// for one that does not match whatever the order is.
func isIdle(trace *scope.Trace, layer scope.LayerName, step scope.Step) bool {
	return layer == scope.Precedence && step.Outcome == scope.Open && trace.Outcome == scope.Excluded
}

// effects are the effects in words.
var effects = map[scope.Effect]string{
	scope.Called:       "called",
	scope.NotCalled:    "not called",
	scope.Evaluated:    "evaluated",
	scope.NotEvaluated: "not evaluated",
	scope.Rejected:     "the request is rejected",
	scope.Skipped:      "skipped",

	scope.Classified:    "classifies the request",
	scope.NotClassified: "does not classify it",
}

// says is what a layer says, in words.
var says = map[scope.StepOutcome]string{
	scope.Match:   "matches",
	scope.NoMatch: "does not match",
	scope.Failed:  "fails",
	scope.Open:    "cannot be decided",
}

// layer writes one layer with the reasons for what it says.
func (t *text) layer(name scope.LayerName, step scope.Step, decides bool, reasons []scope.Reason) {
	note := ""
	if decides {
		note = ", and this decides"
	}
	t.line(3, "%s %s%s", name, t.paint(steps[step.Outcome], says[step.Outcome]), note)
	for _, r := range telling(step.Outcome, reasons) {
		t.reason(r)
	}
}

// telling returns the reasons for an outcome: of a selector that does not match, only the
// requirements that do not hold.
func telling(outcome scope.StepOutcome, reasons []scope.Reason) []scope.Reason {
	var some []scope.Reason
	for _, r := range reasons {
		if r.Outcome == outcome {
			some = append(some, r)
		}
	}
	if len(some) == 0 {
		return reasons
	}
	return some
}

// reason writes one requirement beside what was observed.
func (t *text) reason(r scope.Reason) {
	if r.Want != "" {
		t.line(4, "needs  %s%s", oneLine(r.Want), t.at(r.Field))
	}
	if r.Got != "" {
		t.line(4, "has    %s%s", oneLine(r.Got), t.at(r.Path))
	}
	for _, v := range r.Values {
		t.line(5, "%s = %s", oneLine(v.Expression), oneLine(v.Value))
	}
	if r.Message != "" {
		at := ""
		if r.Want == "" {
			at = t.at(r.Field)
		}
		t.line(4, "%s%s", oneLine(r.Message), at)
	}
}

// at writes where something stands.
func (t *text) at(path string) string {
	if path == "" {
		return ""
	}
	return "  " + t.paint(faint, path)
}

// oneLine keeps text that came from a policy or an object in its place: on one line, and
// without control characters that a terminal would obey.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

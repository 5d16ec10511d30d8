package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// text writes an answer for a person to read: first the request, then the policies in the
// order in which the request meets them. It remembers the first error of its writer.
type text struct {
	w      io.Writer
	colour bool
	err    error
}

// newText makes a text writer, in colour if a terminal shows it and NO_COLOR is not set.
func newText(w io.Writer) *text {
	return &text{w: w, colour: os.Getenv("NO_COLOR") == "" && isTerminal(w)}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (t *text) line(indent int, format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, strings.Repeat("  ", indent)+format+"\n", args...)
	}
}

// phases are the headings of the stops on a request's way.
var phases = map[scope.Phase]string{
	scope.FlowControl:        "Flow control",
	scope.MutatingPolicies:   "Mutating admission policies",
	scope.MutatingWebhooks:   "Mutating webhooks",
	scope.ValidatingPolicies: "Validating admission policies",
	scope.ValidatingWebhooks: "Validating webhooks",
}

// write writes the whole answer.
func (t *text) write(ctx context.Context, a answer) error {
	t.request(a)
	t.flow(ctx, a)
	admitted := len(a.traces)
	for _, phase := range scope.Phases() {
		if phase == scope.FlowControl {
			admitted -= len(inPhase(phase, a.traces))
		} else {
			t.phase(ctx, phase, a)
		}
	}
	if admitted == 0 && a.derived.Request.Operation != "" {
		t.line(0, "\nThere are no admission policies.")
	}
	if t.err != nil {
		return fmt.Errorf("write the answer: %w", t.err)
	}
	return nil
}

// phase writes the policies at one stop. Those that have nothing to do with the resource
// are only counted: a cluster has many, and they are rarely the question.
func (t *text) phase(ctx context.Context, phase scope.Phase, a answer) {
	var shown []*scope.Trace
	folded := 0
	for _, trace := range inPhase(phase, a.traces) {
		switch {
		case !a.verbose && isFar(ctx, trace):
			folded++
		default:
			shown = append(shown, trace)
		}
	}
	if len(shown)+folded == 0 {
		return
	}
	t.line(0, "\n%s", t.paint(bold, phases[phase]))
	for _, trace := range shown {
		t.policy(ctx, trace, a.verbose)
	}
	if folded > 0 {
		t.line(1, "%s", t.paint(faint, fmt.Sprintf("%s for other resources or operations (-v shows them)", count(folded, "policy is", "policies are"))))
	}
}

// inPhase returns the traces of the policies at one stop.
func inPhase(phase scope.Phase, traces []*scope.Trace) []*scope.Trace {
	var some []*scope.Trace
	for _, trace := range traces {
		if trace.Policy.Phase == phase {
			some = append(some, trace)
		}
	}
	return some
}

// isFar reports whether a policy does not name what the request is about. That no webhook serves a policy is told about
// the requests that it names itself.
func isFar(ctx context.Context, trace *scope.Trace) bool {
	if trace.Outcome != scope.Excluded {
		return false
	}
	switch trace.DecidedBy {
	case scope.Exemption, scope.ResourceRules, scope.WebhookExemption, scope.WebhookResourceRules:
		return true
	case scope.WebhookEntry:
		for i, step := range trace.Steps(ctx) {
			if trace.Policy.Layers[i].Name() == scope.MatchResourceRules && step.Outcome == scope.NoMatch {
				return true
			}
		}
	}
	return false
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

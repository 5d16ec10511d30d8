package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
)

// flow writes what becomes of the request in flow control: the FlowSchema that it falls in,
// and where that is the whole question, why the schemas before it let it go.
func (t *text) flow(ctx context.Context, a answer) {
	r := a.derived.Request
	if !r.Reaches(scope.FlowControl) {
		return
	}
	t.line(0, "\n%s", t.paint(bold, phases[scope.FlowControl]))
	traces := inPhase(scope.FlowControl, a.traces)
	policies := make([]*scope.Policy, len(traces))
	for i, trace := range traces {
		policies[i] = trace.Policy
	}
	order := flow.OrderOf(policies)
	if order == nil {
		t.line(1, "Which FlowSchema the request falls in is not known, because the FlowSchemas could not be read.")
		return
	}
	last := t.classes(order, scope.NewInput(r, a.facts, scope.FlowControl))
	whole := r.Operation == ""
	folded := 0
	for _, trace := range traces {
		if before := slices.IndexFunc(order.Schemas, func(s *flow.Schema) bool { return s.Name == trace.Policy.Name }); a.verbose || whole && before <= last {
			t.policy(ctx, trace, a.verbose)
		} else if before > last {
			folded++
		}
	}
	if whole && folded > 0 {
		t.line(1, "%s", t.paint(faint, count(folded, "FlowSchema is", "FlowSchemas are")+" not asked (-v shows them)"))
	}
}

// classes writes the class of the request for each verb that it may have, and once where
// the verb makes no difference. It returns the place of the last schema that is asked.
func (t *text) classes(order *flow.Order, in *scope.Input) (last int) {
	last = -1
	var said []string
	var verbs [][]string
	for _, verb := range in.Request.Access.Verbs {
		c := order.Classify(in, verb)
		last = max(last, lastAsked(order, &c))
		text := strings.Join(class(&c), "\n")
		if i := slices.Index(said, text); i >= 0 {
			verbs[i] = append(verbs[i], verb)
			continue
		}
		said, verbs = append(said, text), append(verbs, []string{verb})
	}
	for i, text := range said {
		indent := 1
		if len(said) > 1 {
			t.line(1, "With the verb %s:", strings.Join(verbs[i], " or "))
			indent = 2
		}
		for _, line := range strings.Split(text, "\n") {
			t.line(indent, "%s", line)
		}
	}
	return last
}

func lastAsked(order *flow.Order, c *flow.Classification) int {
	if n := len(c.Candidates); n > 0 {
		return slices.Index(order.Schemas, c.Candidates[n-1].Schema)
	}
	return slices.Index(order.Schemas, c.Schema)
}

// class says in a few lines what becomes of a request.
func class(c *flow.Classification) []string {
	switch {
	case c.Bypass != "":
		return []string{oneLine(c.Bypass)}
	case c.Schema != nil:
		lines := []string{"The request falls in " + schemaWords(c.Schema) + "."}
		if c.Fallback {
			lines[0] = "No FlowSchema matches, and what is left falls in " + schemaWords(c.Schema) + "."
		}
		if c.Queued {
			lines = append(lines, flowWords(c))
		}
		return lines
	}
	lines := []string{"The FlowSchema depends on " + facts(c.Missing) + ":"}
	for i, candidate := range c.Candidates {
		line := "  " + schemaWords(candidate.Schema)
		switch {
		case len(candidate.Subjects) > 0:
			line += " for " + oneLine(strings.Join(candidate.Subjects, ", "))
		case i == len(c.Candidates)-1:
			line += " otherwise"
		}
		lines = append(lines, line)
	}
	return lines
}

// schemaWords names a FlowSchema with what it does to a request.
func schemaWords(s *flow.Schema) string {
	level := s.Spec.PriorityLevelConfiguration.Name
	words := fmt.Sprintf("FlowSchema %s (precedence %d, priority level %s", oneLine(s.Name), s.Spec.MatchingPrecedence, oneLine(level))
	if s.Level != nil && s.Level.Spec.Type == flowcontrolv1.PriorityLevelEnablementExempt {
		words += ", which has no limits"
	}
	return words + ")"
}

// flowWords says what tells the requests apart that wait in the queues of a priority level.
func flowWords(c *flow.Classification) string {
	const waits = "Where requests have to wait, it waits "
	switch {
	case c.Distinguisher == "":
		return waits + "with all others of this FlowSchema."
	case c.Flow != "":
		return fmt.Sprintf(waits+"with those of the %s %s.", c.Distinguisher, oneLine(c.Flow))
	case c.Distinguisher == "namespace":
		return waits + "with those that are in no namespace."
	}
	return waits + "with those of the same " + c.Distinguisher + "."
}

func facts(missing []scope.Missing) string {
	var all []string
	for _, m := range missing {
		all = append(all, m.Fact)
	}
	return oneLine(strings.Join(all, ", and on "))
}

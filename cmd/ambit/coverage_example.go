package main

import (
	"context"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
)

// example says by means of the first object for which a policy fails, or cannot be decided,
// why that is.
func (t *text) example(ctx context.Context, a coverageAnswer, policy int, outcome scope.Outcome) {
	for o := range a.Objects(policy, coverage.Which{Outcome: outcome}) {
		request, err := a.Request(o)
		if err != nil {
			return
		}
		traces, err := scope.NewSet([]*scope.Policy{a.Policy(policy)}).Explain(ctx, request, a.facts)
		if err != nil || len(traces) != 1 {
			return
		}
		object := oneLine(o.String())
		if why := failure(ctx, traces[0]); why != "" {
			t.below(string(outcome) + ", for instance for " + object + ": " + oneLine(why))
		}
		return
	}
}

// failure says why a policy fails, or on what it depends.
func failure(ctx context.Context, trace *scope.Trace) string {
	if on := dependsOn(trace.Missing()); on != "" {
		return "it depends on " + on
	}
	for i, step := range trace.Steps(ctx) {
		if step.Err != nil && trace.Policy.Layers[i].Name() == trace.DecidedBy {
			return step.Err.Error()
		}
	}
	return ""
}

// dependsOn writes missing facts, each once with its places. A place inside of one that is
// missing as a whole says nothing more.
func dependsOn(missing []scope.Missing) string {
	var facts []string
	places := map[string][]string{}
	for _, m := range missing {
		if slices.ContainsFunc(missing, func(o scope.Missing) bool {
			return strings.HasPrefix(m.Path, o.Path+".") || strings.HasPrefix(m.Path, o.Path+"[")
		}) {
			continue
		}
		if places[m.Fact] == nil {
			facts = append(facts, m.Fact)
		}
		places[m.Fact] = append(places[m.Fact], m.Path)
	}
	for i, fact := range facts {
		facts[i] = fact + " (" + strings.Join(places[fact], ", ") + ")"
	}
	return strings.Join(facts, "; ")
}

package server

import (
	"context"
	"fmt"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// covered is what the policies of a snapshot reach in its population.
type covered struct {
	*described
	result *coverage.Result
}

// covered evaluates the policies over the population of the newest snapshot, once for each
// question: every page that asks the same shares the result. The result is nil where the
// source has no population.
func (s *server) covered(ctx context.Context, ask coverage.Ask) (*covered, error) {
	c := &covered{described: s.current()}
	if c.Population.Population == nil {
		return c, nil
	}
	question := questionOf(ask)
	var err error
	c.result, err = c.results.of(question, newSharedResult).get(ctx, func() (*coverage.Result, error) {
		if err := s.turn(ctx); err != nil {
			return nil, err
		}
		defer s.done()
		// An evaluator outlives the snapshot: after a change in the cluster only what reads it
		// is evaluated again.
		evaluator := s.evaluators.of(question, func() *coverage.Evaluator { return coverage.NewEvaluator(ask) })
		return evaluator.Update(ctx, c.Population.Population, c.Policies.Policies(), c.Facts)
	})
	return c, err
}

// questionOf writes a question so that two are the same text if they ask the same.
func questionOf(ask coverage.Ask) string {
	if ask.Operation == "" {
		ask.Operation = admission.Create
	}
	var who, open []string
	if ask.User != nil {
		who = append([]string{ask.User.Username}, ask.User.Groups...)
	}
	for _, m := range ask.Open {
		open = append(open, m.Path)
	}
	return fmt.Sprintf("%s %t %q %q", ask.Operation, ask.DryRun, who, open)
}

// sharedResult is a result that one of those who ask for it evaluates, while the others wait.
type sharedResult struct {
	// turn is held by the one who evaluates, or looks whether somebody has.
	turn   chan struct{}
	result *coverage.Result
}

func newSharedResult() *sharedResult { return &sharedResult{turn: make(chan struct{}, 1)} }

// get returns the result, or evaluates it. Whoever leaves before the end takes nothing from
// the others: one of them begins again, with what the evaluator has found out until then.
func (r *sharedResult) get(ctx context.Context, evaluate func() (*coverage.Result, error)) (*coverage.Result, error) {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-r.turn }()
	if r.result != nil {
		return r.result, nil
	}
	var err error
	r.result, err = evaluate()
	return r.result, err
}

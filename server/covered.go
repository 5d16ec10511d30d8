package server

import (
	"context"
	"strings"
	"sync"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// covered is what the policies of a snapshot reach in its population.
type covered struct {
	*described
	result *coverage.Result
}

// mostEvaluators bounds what is remembered: one evaluator for each question that somebody
// asked about the whole population.
const mostEvaluators = 4

// evaluators remember their last result, so that after a change in the cluster only what
// reads it is evaluated again.
type evaluators struct {
	mu   sync.Mutex
	kept []keptEvaluator
}

type keptEvaluator struct {
	key string
	*coverage.Evaluator
}

// of returns the evaluator for a question, the one that was used last first.
func (e *evaluators) of(ask coverage.Ask) *coverage.Evaluator {
	if ask.Operation == "" {
		ask.Operation = admission.Create
	}
	key := string(ask.Operation)
	if ask.User != nil {
		key += "\x00" + ask.User.Username + "\x00" + strings.Join(ask.User.Groups, "\x00")
	}
	for _, m := range ask.Open {
		key += "\x00" + m.Path
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, k := range e.kept {
		if k.key == key {
			copy(e.kept[1:i+1], e.kept[:i])
			e.kept[0] = k
			return k.Evaluator
		}
	}
	k := keptEvaluator{key, coverage.NewEvaluator(ask)}
	e.kept = append([]keptEvaluator{k}, e.kept[:min(len(e.kept), mostEvaluators-1)]...)
	return k.Evaluator
}

// covered evaluates the policies over the population of the newest snapshot. The result is
// nil where the source has no population.
func (s *server) covered(ctx context.Context, ask coverage.Ask) (*covered, error) {
	c := &covered{described: s.current()}
	if c.Population.Population == nil {
		return c, nil
	}
	if err := s.turn(ctx); err != nil {
		return nil, err
	}
	defer s.done()
	var err error
	c.result, err = s.evaluators.of(ask).Update(ctx, c.Population.Population, c.Policies.Policies(), c.Facts)
	return c, err
}

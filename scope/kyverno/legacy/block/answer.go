// Package block asks the match and exclude blocks of legacy policies, and the match blocks of their exceptions, about
// a request, and says which requirement failed.
package block

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// Answer is what a requirement, a filter or a block says: scope.Match, scope.NoMatch, or scope.Open with what is
// missing.
type Answer struct {
	Outcome scope.StepOutcome
	Missing []scope.Missing
}

// Yes and No are the answers that need no more facts.
var (
	Yes = Answer{Outcome: scope.Match}
	No  = Answer{Outcome: scope.NoMatch}
)

// Open is the answer that waits for facts.
func Open(missing ...scope.Missing) Answer { return Answer{scope.Open, missing} }

func answer(holds bool) Answer {
	if holds {
		return Yes
	}
	return No
}

// Not turns an answer round.
func (a Answer) Not() Answer {
	switch a.Outcome {
	case scope.Match:
		return No
	case scope.NoMatch:
		return Yes
	}
	return a
}

// And is the answer of requirements that must all hold. One that does not settles it, whatever is missing for others.
func And(all ...Answer) Answer { return settle(all, scope.NoMatch, Yes) }

// Or is the answer of requirements of which one is enough.
func Or(all ...Answer) Answer { return settle(all, scope.Match, No) }

func settle(all []Answer, settling scope.StepOutcome, otherwise Answer) Answer {
	var missing []scope.Missing
	open := false
	for _, a := range all {
		switch a.Outcome {
		case settling:
			return Answer{Outcome: settling}
		case scope.Open:
			open = true
			for _, m := range a.Missing {
				if !slices.Contains(missing, m) {
					missing = append(missing, m)
				}
			}
		}
	}
	if open {
		return Answer{scope.Open, missing}
	}
	return otherwise
}

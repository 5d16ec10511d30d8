package flow

import (
	"context"
	"fmt"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/request"
)

// Mode is in which form Ambit is asked.
type Mode string

// Ambit is asked by a SubjectAccessReview, which says the request whole; by a line as for kubectl, or one with the method
// and the URL, which leave it to Ambit into which groups the API server puts who asks; or by an object that is written,
// which may be sent with one of several verbs.
const (
	Review Mode = "review"
	Line   Mode = "line"
	URL    Mode = "URL"
	Object Mode = "object"
)

var modes = []Mode{Review, Line, URL, Object}

// words are what a person gives to Ambit: a text, and what is said beside it.
type words struct {
	mode Mode
	text string
	ask  request.Ask
}

// said is what Ambit says about a request.
type said struct {
	words
	// refused is why Ambit makes no request of the words.
	refused string
	request *scope.Request
	traces  []*scope.Trace
}

// ask asks Ambit.
func ask(ctx context.Context, snapshot *cluster.Snapshot, w words) (*said, error) {
	s := &said{words: w}
	derived, problems := request.FromText(string(w.mode), []byte(w.text), 0, w.ask, snapshot.Facts)
	if derived == nil {
		s.refused = fmt.Sprint(problems)
		return s, nil
	}
	traces, err := snapshot.Policies.Explain(ctx, derived.Request, snapshot.Facts)
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	s.request = derived.Request
	for _, t := range traces {
		if t.Policy.Phase == scope.FlowControl {
			s.traces = append(s.traces, t)
		}
	}
	return s, nil
}

package selector

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/ambit-k8s/ambit/scope"
)

// openLabels says which labels of a set are not known.
type openLabels struct {
	// all is set if no label is known, but for the one named by except.
	all    *scope.Missing
	except string
	// keys are single labels that are not known.
	keys map[string]scope.Missing
}

func (o openLabels) any() bool { return o.all != nil || o.keys != nil }

// missing returns the fact that a requirement on a key waits for.
func (o openLabels) missing(key string) (scope.Missing, bool) {
	if o.all != nil && key != o.except {
		return *o.all, true
	}
	m, ok := o.keys[key]
	return m, ok
}

// openLabelsOf reads from a question what of an object's labels is open. The whole object
// may be open, or its metadata, or its labels, or single ones.
func openLabelsOf(q scope.Question, object string) openLabels {
	var o openLabels
	whole := []string{object, "metadata", "labels"}
	for i, path := range q.OpenPaths() {
		switch {
		case !scope.Overlap(path, whole):
		case len(path) <= len(whole):
			o.all = &q.Open[i]
		default:
			if o.keys == nil {
				o.keys = map[string]scope.Missing{}
			}
			o.keys[path[len(whole)]] = q.Open[i]
		}
	}
	return o
}

// decideOpen decides over labels of which some are open. A requirement on a known label
// that is not met rules a match out, whatever the open ones are.
func (s *Selector) decideOpen(set labels.Set, open openLabels) (scope.StepOutcome, []scope.Missing) {
	outcome := scope.Match
	var missing []scope.Missing
	for _, r := range s.Requirements {
		if m, isOpen := open.missing(r.Key); isOpen {
			outcome = scope.Open
			missing = appendNew(missing, m)
			continue
		}
		if !r.Matches(set) {
			return scope.NoMatch, nil
		}
	}
	return outcome, missing
}

// reasons sets every requirement beside the labels. path says where a label stands.
func (s *Selector) reasons(set labels.Set, open openLabels, path func(key string) string) []scope.Reason {
	reasons := make([]scope.Reason, 0, len(s.Requirements))
	for _, r := range s.Requirements {
		if _, isOpen := open.missing(r.Key); isOpen {
			reasons = append(reasons, scope.Reason{Field: r.Field, Want: r.String(), Got: "not known", Path: path(r.Key), Outcome: scope.Open})
			continue
		}
		reasons = append(reasons, r.reason(set, path(r.Key)))
	}
	return reasons
}

func appendNew(all []scope.Missing, m scope.Missing) []scope.Missing {
	for _, known := range all {
		if known == m {
			return all
		}
	}
	return append(all, m)
}

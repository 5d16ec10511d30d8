package oracle

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Stage is one of the four stops of a request's way through admission.
type Stage string

// The stops in the order of the way.
const (
	MutatingPolicies   Stage = "MutatingAdmissionPolicy"
	MutatingWebhooks   Stage = "MutatingWebhookConfiguration"
	ValidatingPolicies Stage = "ValidatingAdmissionPolicy"
	ValidatingWebhooks Stage = "ValidatingWebhookConfiguration"
)

var stages = []Stage{MutatingPolicies, MutatingWebhooks, ValidatingPolicies, ValidatingWebhooks}

// Pair is an admission policy with one of its bindings.
type Pair struct{ Policy, Binding string }

// Observation is what the API server did with one request.
type Observation struct {
	Answer Answer
	// Called are the webhooks that were called, by their WebhookID.
	Called map[string][]Review
	// Before and After are the request as the sentinels of the mutating and of the validating webhooks saw it.
	Before, After *Review
	// Evaluated and Failed are the validating policies that warned: that they were evaluated, or what error they met.
	Evaluated map[Pair]bool
	Failed    map[Pair]string
	// Marked are the mutating policies whose mark the object has.
	Marked map[string]bool
	// Refused are the refusals in the name of admission policies. The binding is empty where the policy as a whole failed.
	Refused map[Pair]string
	// RefusedAt is the kind of policies that the refusals name.
	RefusedAt Stage
	// Truncated says that the API server may have dropped warnings.
	Truncated bool

	sentinel string
}

// maxWarnings is how many runes of warnings an API server sends before it drops some
// (k8s.io/apiserver/pkg/endpoints/filters/warning.go), less the longest that it might have dropped.
const maxWarnings = 4096 - 256

// Ask sends a request and observes.
func (o *Oracle) Ask(ctx context.Context, call Call) (*Observation, error) {
	o.Recorder.Take()
	answer, err := o.Client.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	seen := &Observation{
		Answer: answer, Called: o.Recorder.Take(), sentinel: o.SentinelName(),
		Evaluated: map[Pair]bool{}, Failed: map[Pair]string{}, Marked: map[string]bool{}, Refused: map[Pair]string{},
	}
	seen.Before = seen.lastOf(MutatingWebhooks)
	seen.After = seen.lastOf(ValidatingWebhooks)
	seen.readWarnings()
	seen.readRefusal()
	seen.readMarks()
	return seen, nil
}

func (s *Observation) lastOf(stage Stage) *Review {
	calls := s.Called[WebhookID(stage, s.sentinel, "sentinel.ambit.invalid")]
	if len(calls) == 0 {
		return nil
	}
	return &calls[len(calls)-1]
}

var warningText = regexp.MustCompile(`(?s)^Validation failed for ValidatingAdmissionPolicy '(.+)' with binding '(.+)': (.*)$`)

func (s *Observation) readWarnings() {
	total := 0
	for _, w := range s.Answer.Warnings {
		total += len(w)
		m := warningText.FindStringSubmatch(w)
		switch {
		case m == nil:
		case m[3] == Evaluated:
			s.Evaluated[Pair{m[1], m[2]}] = true
		default:
			s.Failed[Pair{m[1], m[2]}] = m[3]
		}
	}
	s.Truncated = total > maxWarnings
}

var refusalTexts = map[Stage]*regexp.Regexp{
	ValidatingPolicies: regexp.MustCompile(`(?s)ValidatingAdmissionPolicy '([^']+)'(?: with binding '([^']+)')? denied request: (.*)$`),
	MutatingPolicies:   regexp.MustCompile(`(?s)^policy ['"]([^'"]+)['"](?: with binding '([^']*)')? denied request: (.*)$`),
}

// readRefusal reads in whose name the API server refused. Mutating policies are all named, of the validating ones only
// the first; webhooks are not named at all.
func (s *Observation) readRefusal() {
	var status metav1.Status
	if s.Answer.OK() || json.Unmarshal(s.Answer.Body, &status) != nil {
		return
	}
	texts := []string{status.Message}
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			texts = append(texts, cause.Message)
		}
	}
	for stage, text := range refusalTexts {
		for _, t := range texts {
			if m := text.FindStringSubmatch(t); m != nil {
				s.Refused[Pair{m[1], m[2]}] = m[3]
				s.RefusedAt = stage
			}
		}
	}
}

// readMarks finds the marks of mutating policies in what came after them.
func (s *Observation) readMarks() {
	var carrier []byte
	switch {
	case s.Before != nil:
		carrier = s.Before.Request.Object.Raw
	case s.Answer.OK():
		carrier = s.Answer.Body
	}
	for _, m := range markText.FindAllSubmatch(carrier, -1) {
		s.Marked[string(m[1])] = true
	}
}

var markText = regexp.MustCompile(regexp.QuoteMeta(markerPrefix) + `([a-z0-9.-]+)`)

// Reached reports whether the sentinel of a stop saw the request. It is no proof against: some requests are exempt.
func (s *Observation) Reached(stage Stage) bool {
	switch stage {
	case MutatingPolicies, MutatingWebhooks:
		return s.Before != nil
	case ValidatingPolicies:
		return s.Evaluated[Pair{s.sentinel, s.sentinel}]
	}
	return s.After != nil
}

// WentOn reports whether the request certainly left a stop: it succeeded, or something saw it behind that stop.
func (s *Observation) WentOn(stage Stage) bool {
	if s.Answer.OK() {
		return true
	}
	at := slices.Index(stages, stage)
	if stage == ValidatingWebhooks {
		// The validating webhooks are all asked for a match before any is called.
		return s.After != nil
	}
	for _, later := range stages[at+1:] {
		if s.Reached(later) {
			return true
		}
	}
	return s.RefusedAt != "" && slices.Index(stages, s.RefusedAt) > at
}

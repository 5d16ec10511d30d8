package flow

import (
	"slices"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/ambit-k8s/ambit/scope"
)

// Classification is what becomes of a request in flow control.
type Classification struct {
	// Schema is the one that the request falls in; nil if that is open, or if the request is
	// not classified at all.
	Schema *Schema
	// Candidates are the schemas that it may be, in order, where that depends on Missing. The
	// last one takes what the others leave.
	Candidates []Candidate
	Missing    []scope.Missing
	// Bypass is a sentence that says why the request passes unclassified.
	Bypass string
	// Fallback says that no schema matches and catch-all is taken nevertheless.
	Fallback bool
	// Queued says that the priority level has queues to choose from, which keep the flows of
	// a schema apart. Distinguisher says by what, "user" or "namespace", and is empty if all
	// requests of the schema are one flow. Flow is the name of that user or namespace; it is
	// empty for a request without a namespace, and where who asks is not known.
	Queued              bool
	Distinguisher, Flow string
}

// Candidate is a schema that a request may fall in, and the subjects by which it would.
type Candidate struct {
	*Schema
	// Subjects are in words, such as "group system:masters". They are empty for the last
	// candidate, which takes everybody else, and where something else is open.
	Subjects []string
}

// Classify says what becomes of a request that is sent with one of its verbs.
func (o *Order) Classify(in *scope.Input, verb string) Classification {
	i := slices.Index(in.Request.Access.Verbs, verb)
	if i < 0 {
		return Classification{}
	}
	w := &o.walks(in)[i]
	if why := w.digest.bypass(); why != "" {
		return Classification{Bypass: why}
	}
	if len(w.candidates) == 0 {
		c := Classification{Schema: w.chosen, Fallback: w.fallback}
		c.Queued, c.Distinguisher = w.chosen.queues()
		switch c.Distinguisher {
		case byUser:
			c.Flow = w.digest.User
		case byNamespace:
			c.Flow = w.digest.Namespace
		}
		return c
	}
	return o.candidates(w, newAsker(in).missing)
}

// candidates lists the schemas that a request may fall in. Asker is what is not known of
// who asks.
func (o *Order) candidates(w *walk, asker []scope.Missing) Classification {
	var c Classification
	for k, s := range o.Schemas {
		if !slices.Contains(w.candidates, s) {
			continue
		}
		here := &w.stops[k]
		candidate := Candidate{Schema: s}
		for _, subject := range here.subjects {
			candidate.Subjects = append(candidate.Subjects, SubjectWords(subject))
		}
		c.Candidates = append(c.Candidates, candidate)
		c.Missing = appendMissing(c.Missing, asker, here.own == scope.Open)
		c.Missing = appendMissing(c.Missing, levelMissing(s), s.HasLevel != scope.Present)
	}
	if w.chosen != nil {
		c.Candidates = append(c.Candidates, Candidate{Schema: w.chosen})
	}
	return c
}

const (
	byUser      = "user"
	byNamespace = "namespace"
)

// queues says whether requests of the schema wait in queues of which there are several,
// and what chooses among them (apf_controller.go, startRequest). Only then does the
// distinguisher count.
func (s *Schema) queues() (queued bool, distinguisher string) {
	if s.Level == nil || s.Level.Spec.Limited == nil || s.Level.Spec.Type == flowcontrolv1.PriorityLevelEnablementExempt {
		return false, ""
	}
	response := s.Level.Spec.Limited.LimitResponse
	if response.Type != flowcontrolv1.LimitResponseTypeQueue || response.Queuing == nil || response.Queuing.Queues <= 1 {
		return false, ""
	}
	if s.Spec.DistinguisherMethod == nil {
		return true, ""
	}
	if s.Spec.DistinguisherMethod.Type == flowcontrolv1.FlowDistinguisherMethodByNamespaceType {
		return true, byNamespace
	}
	return true, byUser
}

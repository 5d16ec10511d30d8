package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/ambit-k8s/ambit/scope"
)

// apiExplain answers like "ambit explain -o json". The body is a document, or JSON with
// the document as text and what is said about the request beside it.
func (s *server) apiExplain(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		return formError(err)
	}
	q := question{Text: string(body)}
	if wrapped, ok := wrapped(body); ok {
		q = wrapped
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	a, err := s.answer(ctx, q)
	if err != nil {
		if message, slow := tooSlow(err); slow {
			return &Error{Status: http.StatusServiceUnavailable, Message: message}
		}
		return err
	}
	if a.derived == nil {
		return &Error{Status: http.StatusBadRequest, Message: "The text cannot be read as a request.", Problems: a.places()}
	}
	writeJSON(w, http.StatusOK, scope.NewDocument(ctx, a.derived.Review, a.traces))
	return nil
}

// wrapped reads a body that is not a document itself but holds one as text.
func wrapped(body []byte) (question, bool) {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return question{}, false
	}
	var w struct {
		Text *string `json:"text"`
		Kind string  `json:"kind"`
		Ask  ask     `json:"ask"`
	}
	if json.Unmarshal(body, &w) != nil || w.Text == nil || w.Kind != "" {
		return question{}, false
	}
	return question{Text: *w.Text, Ask: w.Ask}, true
}

// formError tells a body that is too large apart from one that is broken.
func formError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return badRequest("The body of the request cannot be read.")
}

// apiPolicy is one policy in the answer of the API.
type apiPolicy struct {
	Kind          string            `json:"kind"`
	Name          string            `json:"name"`
	Namespace     string            `json:"namespace"`
	Entry         string            `json:"entry"`
	Phase         scope.Phase       `json:"phase"`
	FailurePolicy string            `json:"failurePolicy,omitempty"`
	Sentence      string            `json:"sentence"`
	Layers        []scope.LayerName `json:"layers"`
}

func (s *server) apiPolicies(w http.ResponseWriter, _ *http.Request) error {
	policies := []apiPolicy{}
	for _, g := range s.current().Catalog.Groups {
		for _, e := range g.Entries {
			p := apiPolicy{
				Kind: e.Policy.Kind, Name: e.Policy.Name, Namespace: e.Policy.Namespace, Entry: e.Policy.Entry,
				Phase: e.Policy.Phase, FailurePolicy: e.Policy.FailurePolicy, Sentence: e.Sentence.String(),
			}
			for _, l := range e.Policy.Layers {
				p.Layers = append(p.Layers, l.Name())
			}
			policies = append(policies, p)
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"policies": policies})
	return nil
}

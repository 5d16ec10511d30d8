package server

import (
	"context"
	"net/http"

	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// apiLint answers like "ambit lint -o json".
func (s *server) apiLint(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	found, err := s.allFindings(ctx)
	if _, slow := tooSlow(err); slow {
		return &Error{Status: http.StatusServiceUnavailable, Message: "Ambit is still looking. Ask again in a moment."}
	} else if err != nil {
		return err
	}
	if found == nil {
		found = []hazard.Finding{}
	}
	writeJSON(w, http.StatusOK, hazard.Document{Findings: found})
	return nil
}

// apiCoverage answers like "ambit coverage -o json".
func (s *server) apiCoverage(w http.ResponseWriter, r *http.Request) error {
	src, _, err := s.reach(r)
	if err != nil {
		return err
	}
	if src.Result == nil {
		return missing("Which objects exist has not been read here, so there is no coverage.")
	}
	writeJSON(w, http.StatusOK, coverage.NewDocument(src.Result))
	return nil
}

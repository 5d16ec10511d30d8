package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/ambit-k8s/ambit/views"
)

// Error is an error that the person on the other side can do something about. Message is
// a sentence.
type Error struct {
	Status  int
	Message string
	// Problems are the places in what was sent that are wrong.
	Problems []problem
}

// problem is something wrong at one place of a pasted text.
type problem struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

func badRequest(message string) error {
	return &Error{Status: http.StatusBadRequest, Message: message}
}

func missing(message string) error { return &Error{Status: http.StatusNotFound, Message: message} }

func notFound(http.ResponseWriter, *http.Request) error {
	return missing("There is no such page. The address may have been cut, or the policy it names may be gone.")
}

func methodNotAllowed(http.ResponseWriter, *http.Request) error {
	return &Error{Status: http.StatusMethodNotAllowed, Message: "This address does not take such a request."}
}

// handler is a handler that says what went wrong instead of writing it.
type handler func(w http.ResponseWriter, r *http.Request) error

// handle renders the error of a handler. It is the one place that does.
func (s *server) handle(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// fail writes an error as a page or, to a client that would rather have it or that
// called the API, as JSON. What went wrong inside is logged and not told.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var known *Error
	if !errors.As(err, &known) {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			known = &Error{Status: http.StatusRequestEntityTooLarge, Message: "This is larger than 1 MiB, which is as much as Ambit reads. Paste one object, or leave out what is not needed."}
		} else if r.Context().Err() != nil {
			return // Whoever asked is gone.
		} else {
			s.Logger.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
			known = &Error{Status: http.StatusInternalServerError, Message: "Something in Ambit went wrong. The log says what."}
		}
	}
	if wantsJSON(r) {
		writeJSON(w, known.Status, map[string]any{"error": known.Message, "problems": known.Problems})
		return
	}
	l := s.layout(r, http.StatusText(known.Status), "")
	s.write(w, r, known.Status, views.Failure(l, views.ErrorPage{Status: known.Status, Title: http.StatusText(known.Status), Message: known.Message}))
}

// wantsJSON reports whether a client prefers JSON to a page.
func wantsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // The client is gone if this fails.
}

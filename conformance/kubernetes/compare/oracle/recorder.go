package oracle

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
)

// Recorder is the server behind all webhooks: it allows everything and remembers who was asked what. Each webhook has a
// path of its own, which is the name under which its calls are found.
type Recorder struct {
	server *httptest.Server

	mu    sync.Mutex
	calls map[string][]Review
}

// Review is an AdmissionReview as a webhook got it.
type Review struct {
	Request *admissionv1.AdmissionRequest
	// Raw is the review as it was sent, which tells null and absent apart.
	Raw []byte
}

// StartRecorder starts the server on loopback.
func StartRecorder() *Recorder {
	r := &Recorder{calls: map[string][]Review{}}
	r.server = httptest.NewUnstartedServer(r)
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0) // The API server hangs up on its keep-alive connections.
	r.server.EnableHTTP2 = true
	r.server.StartTLS()
	return r
}

// Stop stops the server.
func (r *Recorder) Stop() { r.server.Close() }

// Client points a webhook at the recorder, under a name.
func (r *Recorder) Client(name string) v1.WebhookClientConfig {
	url := r.server.URL + "/" + name
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	return v1.WebhookClientConfig{URL: &url, CABundle: certificate}
}

// Take returns the calls since the last time, by name, and forgets them.
func (r *Recorder) Take() map[string][]Review {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls
	r.calls = map[string][]Review{}
	return calls
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	var review admissionv1.AdmissionReview
	body, err := io.ReadAll(request.Body)
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil || review.Request == nil {
		http.Error(response, "this is no AdmissionReview", http.StatusBadRequest)
		return
	}
	r.note(strings.TrimPrefix(request.URL.Path, "/"), Review{review.Request, body})
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	response.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(response).Encode(review); err != nil {
		panic(http.ErrAbortHandler) // The API server went away.
	}
}

// note remembers a call, unless it is about what the API server does on its own account, such as its leases. Somebody
// who impersonates the API server has no UID.
func (r *Recorder) note(name string, review Review) {
	if user := review.Request.UserInfo; user.Username == "system:apiserver" && user.UID != "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[name] = append(r.calls[name], review)
}

package cluster

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
)

// reviewServer answers SubjectAccessReviews and counts them.
func reviewServer(t *testing.T, answer func(authorizationv1.SubjectAccessReviewSpec) (authorizationv1.SubjectAccessReviewStatus, int)) (*reviewer, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var review authorizationv1.SubjectAccessReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		status, code := answer(review.Spec)
		review.Status = status
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		if err := json.NewEncoder(w).Encode(review); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	client, err := authorizationv1client.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReviewer(client)
	if err != nil {
		t.Fatal(err)
	}
	return r, &asked
}

func TestReviewer(t *testing.T) {
	r, asked := reviewServer(t, func(s authorizationv1.SubjectAccessReviewSpec) (authorizationv1.SubjectAccessReviewStatus, int) {
		a := s.ResourceAttributes
		return authorizationv1.SubjectAccessReviewStatus{
			Allowed: s.User == "jane" && s.Groups[0] == "dev" && s.Extra["scope"][0] == "x" && a.Resource == "pods" && a.Verb == "list" &&
				a.LabelSelector.Requirements[0].Key == "app" && a.FieldSelector.Requirements[0].Key == "spec.nodeName",
			Reason: "because",
		}, http.StatusCreated
	})
	selector, err := labels.ParseToRequirements("app=web")
	if err != nil {
		t.Fatal(err)
	}
	attributes := authorizer.AttributesRecord{
		User: &user.DefaultInfo{Name: "jane", Groups: []string{"dev"}, Extra: map[string][]string{"scope": {"x"}}},
		Verb: "list", Resource: "pods", ResourceRequest: true,
		LabelSelectorRequirements: selector,
		FieldSelectorRequirements: fields.OneTermEqualSelector("spec.nodeName", "n").Requirements(),
	}
	for range 3 {
		decision, reason, err := r.Authorize(t.Context(), attributes)
		if decision != authorizer.DecisionAllow || reason != "because" || err != nil {
			t.Fatalf("decision is %v (%s), error %v", decision, reason, err)
		}
	}
	if got := asked.Load(); got != 1 {
		t.Errorf("asked %d times", got)
	}
	attributes.Verb = "delete"
	if decision, _, err := r.Authorize(t.Context(), attributes); decision != authorizer.DecisionNoOpinion || err != nil {
		t.Errorf("decision is %v, error %v", decision, err)
	}
}

func TestReviewerFails(t *testing.T) {
	r, asked := reviewServer(t, func(authorizationv1.SubjectAccessReviewSpec) (authorizationv1.SubjectAccessReviewStatus, int) {
		return authorizationv1.SubjectAccessReviewStatus{}, http.StatusInternalServerError
	})
	decision, _, err := r.Authorize(t.Context(), authorizer.AttributesRecord{User: &user.DefaultInfo{Name: "jane"}, Verb: "get", Path: "/healthz"})
	if err == nil || decision != authorizer.DecisionNoOpinion {
		t.Errorf("decision is %v, error %v", decision, err)
	}
	if got := asked.Load(); got != 1 {
		t.Errorf("asked %d times", got)
	}
}

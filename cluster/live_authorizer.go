package cluster

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	authorizationcel "k8s.io/apiserver/pkg/authorization/cel"
	"k8s.io/apiserver/plugin/pkg/authorizer/webhook"
	"k8s.io/apiserver/plugin/pkg/authorizer/webhook/metrics"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
)

// An answer is used again for a short time, because one page asks the same for many requests. A question that takes
// longer than the timeout stays open.
const (
	reviewTTL     = 10 * time.Second
	reviewTimeout = 3 * time.Second
)

// reviewer answers what a user may do with SubjectAccessReviews. It is the API server's own webhook authorizer,
// field and label selectors included, pointed at the API server.
type reviewer struct {
	authorizer.UnconditionalAuthorizer
}

// newReviewer makes a reviewer. It asks once: Ambit shows that a question failed, it does not wait.
func newReviewer(reviews authorizationv1client.AuthorizationV1Interface) (*reviewer, error) {
	once := wait.Backoff{Steps: 1}
	w, err := webhook.NewFromInterface(reviews, reviewTTL, reviewTTL, once, authorizer.DecisionNoOpinion, metrics.NoopAuthorizerMetrics{}, authorizationcel.NewDefaultCompiler())
	if err != nil {
		return nil, fmt.Errorf("make an authorizer: %w", err)
	}
	return &reviewer{w}, nil
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (r *reviewer) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	ctx, cancel := context.WithTimeout(ctx, reviewTimeout)
	defer cancel()
	return r.UnconditionalAuthorizer.Authorize(ctx, a)
}

package condition

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// recordingAuthorizer remembers that a check could not be made. CEL would take such an
// error for a "no"; Ambit leaves the check open instead.
type recordingAuthorizer struct {
	inner  authorizer.UnconditionalAuthorizer
	failed error
}

// Authorize implements authorizer.UnconditionalAuthorizer.
func (a *recordingAuthorizer) Authorize(ctx context.Context, attributes authorizer.Attributes) (authorizer.Decision, string, error) {
	if a.inner == nil {
		a.failed = errors.New("there is no cluster to ask")
		return authorizer.DecisionNoOpinion, "", a.failed
	}
	decision, reason, err := a.inner.Authorize(ctx, attributes)
	if err != nil {
		a.failed = err
	}
	return decision, reason, err
}

package engine

import (
	"fmt"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// backgroundUser ends the name of the ServiceAccount whose requests are left out, in an installation that does not
// change it.
const backgroundUser = ":kyverno-background-controller"

// background is what is not known of a request by Kyverno's own background controller: policies that mutate or generate
// leave it out unless skipBackgroundRequests is false, where Kyverno was told its name. Who asks is nobody else's
// affair here, so that a request by somebody who is not known counts as one by anybody else.
func (l *Selection) background(q scope.Question) *scope.Missing {
	kind := l.policy.PolicyKind()
	evaluation := l.policy.Spec.Evaluation
	skips := evaluation == nil || evaluation.SkipBackgroundRequests == nil || *evaluation.SkipBackgroundRequests
	user := q.Request.User
	if !mutates(kind) && !generates(kind) || !skips || user == nil || !strings.HasSuffix(user.Username, backgroundUser) {
		return nil
	}
	const fact = "whether Kyverno was told that %s is its background controller (--backgroundServiceAccountName)"
	return &scope.Missing{Path: "request.userInfo", Fact: fmt.Sprintf(fact, user.Username)}
}

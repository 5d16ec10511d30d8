package compare

import (
	"context"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
)

// sight is what one observation tells about one policy.
type sight string

const (
	// called or evaluated.
	included sight = "included"
	// called, but with the object in another version than Ambit says.
	otherKind sight = "called with another kind"
	// Neither asked nor failed.
	excluded sight = "excluded"
	// Not asked; an error that Ignore drops looks the same.
	absent sight = "not asked"
	// An error, and the request was refused because of it.
	refused sight = "refused because of an error"
	// An error that did not refuse the request.
	dropped sight = "an error, not refused"
	// The observation tells nothing about this policy.
	unseen sight = "not seen"
)

// agrees reports whether a trace says what was seen.
func (s sight) agrees(t *scope.Trace) bool {
	switch s {
	case included:
		return t.Outcome == scope.Included && (t.Effect == scope.Called || t.Effect == scope.Evaluated)
	case excluded:
		return t.Outcome == scope.Excluded
	case absent:
		return t.Outcome == scope.Excluded || t.Outcome == scope.Error && t.Effect == scope.Skipped
	case refused:
		return t.Outcome == scope.Error && t.Effect == scope.Rejected
	case dropped:
		return t.Outcome == scope.Error && t.Effect == scope.Skipped
	case otherKind:
		return false
	}
	return true
}

// view is an observation together with the policies that were installed.
type view struct {
	*oracle.Observation
	// refusing says that webhooks were installed that may refuse.
	refusing bool
	policies *oracle.Policies
}

// of returns what was seen of a policy.
func (v view) of(t *scope.Trace) sight {
	switch stageOf(t) {
	case oracle.MutatingPolicies:
		return v.mutatingPolicy(t)
	case oracle.ValidatingPolicies:
		return v.validatingPolicy(t)
	}
	return v.webhook(t)
}

func (v view) webhook(t *scope.Trace) sight {
	stage := stageOf(t)
	ignores := t.Policy.FailurePolicy == string(v1.Ignore)
	switch {
	case len(v.Called[oracle.WebhookID(stage, t.Policy.Name, t.Policy.Entry)]) > 0:
		return included
	case v.refusing && v.quotes(t.Policy.Entry):
		return refused
	case !v.WentOn(stage) && (v.refusing || stage != oracle.MutatingWebhooks || v.Before == nil):
		return unseen
	case ignores:
		return absent
	}
	return excluded
}

// quotes reports whether a refusal quotes a match condition of a webhook. The API server does not name the webhook, but
// each condition ends with a comment that does.
func (v view) quotes(entry string) bool {
	return !v.Answer.OK() && strings.Contains(v.Answer.Message(), "// "+entry)
}

func (v view) validatingPolicy(t *scope.Trace) sight {
	pair := oracle.Pair{Policy: t.Policy.Name, Binding: t.Policy.Entry}
	ignores := t.Policy.FailurePolicy == string(v1.Ignore)
	if s := v.named(pair, oracle.ValidatingPolicies); s != unseen {
		return s
	}
	everyone := v.RefusedAt == oracle.ValidatingPolicies || v.Reached(oracle.ValidatingPolicies) || v.WentOn(oracle.ValidatingPolicies)
	switch {
	case v.Evaluated[pair]:
		return included
	case v.Failed[pair] != "":
		return dropped
	case !everyone || v.Truncated, v.RefusedAt == oracle.ValidatingPolicies && v.denies(pair):
		return unseen
	case ignores:
		return absent
	}
	return excluded
}

// cannotPatchScale is in the error of a mutating policy that was evaluated for the Scale of a custom resource: the API
// server knows no way to convert what comes out of the mutation.
const cannotPatchScale = "request to convert CR to an invalid group/version"

// named returns what a refusal in the name of a policy tells about it.
func (v view) named(pair oracle.Pair, stage oracle.Stage) sight {
	if v.RefusedAt != stage {
		return unseen
	}
	for _, name := range []oracle.Pair{pair, {Policy: pair.Policy}} {
		switch message, ok := v.Refused[name]; {
		case ok && (message == oracle.Evaluated || strings.Contains(message, cannotPatchScale)):
			return included
		case ok:
			return refused
		}
	}
	return unseen
}

// denies reports whether a binding refuses. Only the first of several refusals is named.
func (v view) denies(pair oracle.Pair) bool {
	return slices.ContainsFunc(v.policies.ValidatingBindings, func(b *v1.ValidatingAdmissionPolicyBinding) bool {
		return b.Name == pair.Binding && slices.Contains(b.Spec.ValidationActions, v1.Deny)
	})
}

func (v view) mutatingPolicy(t *scope.Trace) sight {
	pair := oracle.Pair{Policy: t.Policy.Name, Binding: t.Policy.Entry}
	ignores := t.Policy.FailurePolicy == string(v1.Ignore)
	if s := v.named(pair, oracle.MutatingPolicies); s != unseen {
		return s
	}
	switch {
	case v.Marked[t.Policy.Name]:
		return included
	case !v.WentOn(oracle.MutatingPolicies):
		return unseen
	case ignores:
		return absent
	}
	return excluded
}

// markable reports whether the object of the request can carry a mark.
func (v view) markable() bool {
	if v.Before == nil {
		return false
	}
	kind := v.Before.Request.Kind.Kind
	return !strings.HasSuffix(kind, "Options") || kind == "PodExecOptions"
}

// sameKind reports whether a webhook was called with the object in the version that Ambit says.
func (v view) sameKind(ctx context.Context, t *scope.Trace) bool {
	var matched *scope.Matched
	for _, step := range t.Steps(ctx) {
		if step.Matched != nil {
			matched = step.Matched
		}
	}
	for _, call := range v.Called[oracle.WebhookID(stageOf(t), t.Policy.Name, t.Policy.Entry)] {
		r := call.Request
		if matched == nil || schema.GroupVersionKind(r.Kind) != matched.Kind || schema.GroupVersionResource(r.Resource) != matched.Resource {
			return false
		}
	}
	return true
}

package admission

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/webhook"
)

// family is a kind of admission policy, as far as exemptions know it.
type family int

const (
	validatingPolicy family = iota
	mutatingPolicy
)

// Exempt is the layer of requests that never reach a policy of a family, whatever its
// rules say.
type Exempt struct{ family family }

// Name implements scope.Layer.
func (l *Exempt) Name() scope.LayerName { return scope.Exemption }

// ReadsOnlyResource implements scope.ResourceLayer.
func (l *Exempt) ReadsOnlyResource() bool { return true }

// Decide implements scope.Layer.
func (l *Exempt) Decide(_ context.Context, q scope.Question) scope.Step {
	if l.why(q) != "" {
		return scope.Step{Outcome: scope.NoMatch}
	}
	return scope.Step{Outcome: scope.Match}
}

// Explain implements scope.Layer.
func (l *Exempt) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if step.Outcome == scope.Match {
		return nil
	}
	got := q.Request.Resource.GroupResource().String()
	path := "request.resource"
	if l.family == mutatingPolicy && q.Request.Operation == admission.Delete {
		got, path = string(admission.Delete), "request.operation"
	}
	return []scope.Reason{{Got: got, Path: path, Outcome: scope.NoMatch, Message: l.why(q)}}
}

// policyResources are exempt from policies that are registered through the API
// (k8s.io/apiserver/pkg/admission/plugin/policy/generic/plugin.go).
var policyResources = sets.New(
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"},
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"},
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicies"},
	schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "mutatingadmissionpolicybindings"},
)

// why is the sentence that explains an exemption, or empty.
func (l *Exempt) why(q scope.Question) string {
	resource := q.Request.Resource.GroupResource()
	switch {
	case l.family == mutatingPolicy && q.Request.Operation == admission.Delete:
		return "MutatingAdmissionPolicies are not run for DELETE, whatever their rules say."
	case webhook.IsReview(resource):
		return "Reviews are answered and not stored; admission policies never see them."
	case policyResources.Has(resource):
		return "Admission policies and their bindings are exempt from admission policies, so that no policy can lock everybody out."
	}
	return ""
}

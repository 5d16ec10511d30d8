package webhook

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"

	"github.com/ambit-k8s/ambit/scope"
)

// Exempt is the layer of requests that never reach a webhook, whatever its rules say.
type Exempt struct{}

// Name implements scope.Layer.
func (Exempt) Name() scope.LayerName { return scope.Exemption }

// ReadsOnlyResource implements scope.ResourceLayer.
func (Exempt) ReadsOnlyResource() bool { return true }

// Key implements scope.Keyed.
func (Exempt) Key() string { return "exempt" }

// Decide implements scope.Layer.
func (Exempt) Decide(_ context.Context, q scope.Question) scope.Step {
	if why(q) != "" {
		return scope.Step{Outcome: scope.NoMatch}
	}
	return scope.Step{Outcome: scope.Match}
}

// Explain implements scope.Layer.
func (Exempt) Explain(_ context.Context, q scope.Question, step scope.Step) []scope.Reason {
	if step.Outcome == scope.Match {
		return nil
	}
	got := q.Request.Resource.GroupResource().String()
	return []scope.Reason{{Got: got, Path: "request.resource", Outcome: scope.NoMatch, Message: why(q)}}
}

// reviews are answered and never stored. The list is that of
// k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion/resources.go.
var reviews = sets.New(
	schema.GroupResource{Group: "authentication.k8s.io", Resource: "selfsubjectreviews"},
	schema.GroupResource{Group: "authentication.k8s.io", Resource: "tokenreviews"},
	schema.GroupResource{Group: "authorization.k8s.io", Resource: "localsubjectaccessreviews"},
	schema.GroupResource{Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"},
	schema.GroupResource{Group: "authorization.k8s.io", Resource: "selfsubjectrulesreviews"},
	schema.GroupResource{Group: "authorization.k8s.io", Resource: "subjectaccessreviews"},
)

// IsReview reports whether objects of a resource are answered and never stored, so that admission leaves them out.
func IsReview(resource schema.GroupResource) bool { return reviews.Has(resource) }

// reviewsFrom is the version since which webhooks are not called for reviews (feature gate
// ExcludeAdmissionWebhookVirtualResources).
var reviewsFrom = version.MajorMinor(1, 37)

// why is the sentence that explains an exemption, or empty.
func why(q scope.Question) string {
	switch {
	case IsReview(q.Request.Resource.GroupResource()) && (q.Facts.Version == nil || q.Facts.Version.AtLeast(reviewsFrom)):
		return "Reviews are answered and not stored; since Kubernetes 1.37 no webhook is called for them."
	case rules.IsExemptAdmissionConfigurationResource(q.Attributes):
		return "Webhook configurations and admission policies are exempt from webhooks, so that no webhook can lock everybody out."
	}
	return ""
}

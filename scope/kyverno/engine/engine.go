// Package engine decides which requests Kyverno evaluates a policy for once it is called: the second room of policies
// that are written in CEL, and the filters that stand before all policies.
//
// A request passes the filters of the ConfigMap, then the selection of policies that may be evaluated for it at all,
// then the policy's match, and then its exceptions and conditions. The order is that of pkg/webhooks/server.go and
// pkg/cel/policies/*/engine of github.com/kyverno/kyverno. The matching is the API server's own, as it is upstream:
// rules, selectors and CEL of k8s.io/apiserver see the request as Kyverno does (received).
package engine

import (
	"time"

	v1 "k8s.io/api/admissionregistration/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/condition"
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// Room is what the engine goes by beside the policy.
type Room struct {
	Release release.Release
	// Config is what the ConfigMap says; nil stands for no ConfigMap. Unread is set if it could not be read.
	Config *config.Config
	Unread *scope.Missing
	Flags  config.Flags
	// Resources are those that the cluster serves; nil if they are not known.
	Resources  *resource.Set
	Exceptions Exceptions
	Conditions *condition.Compiler
	// Now is the time by which exceptions expire.
	Now time.Time
}

// Layers are the steps by which Kyverno narrows a policy once it is called, after its Filters. They are in the order in
// which people are taught them, except that an ImageValidatingPolicy asks its conditions before its exceptions
// (pkg/image/verification/evaluator/policy.go, Evaluate).
func (r Room) Layers(p *api.Policy) []scope.Layer {
	m := r.newMatching(p)
	first, last := scope.StageEngineFirst, scope.StageEngineLast
	layers := []scope.Layer{r.selection(p), m.namespace, m.object, &Rules{m}}
	if verifiesImages(p.PolicyKind()) {
		return append(layers, r.conditionsOf(p, m, first), r.exceptionsOf(p, m, last))
	}
	return append(layers, r.exceptionsOf(p, m, first), r.conditionsOf(p, m, last))
}

// verifiesImages, mutates and generates tell the kinds of policies apart.
func verifiesImages(k api.Kind) bool {
	return k == api.ImageValidatingPolicy || k == api.NamespacedImageValidatingPolicy
}

func mutates(k api.Kind) bool { return k == api.MutatingPolicy || k == api.NamespacedMutatingPolicy }

func generates(k api.Kind) bool {
	return k == api.GeneratingPolicy || k == api.NamespacedGeneratingPolicy
}

// FailurePolicy is what a failed evaluation does to a request. A policy that generates is evaluated after the answer,
// and can do nothing to it (api/policies.kyverno.io/v1beta1, GetFailurePolicy).
func (r Room) FailurePolicy(p *api.Policy) v1.FailurePolicyType {
	ignores := p.Spec.FailurePolicy != nil && *p.Spec.FailurePolicy == v1.Ignore
	if ignores || r.Flags.ForceFailurePolicyIgnore || generates(p.PolicyKind()) {
		return v1.Ignore
	}
	return v1.Fail
}

// onMatchError is what a failed match does to the request: a policy that validates refuses it if it denies anything,
// whatever its failurePolicy is (vpol/engine/engine.go, handlePolicy; webhooks/resource/vpol/handler.go,
// admissionResponse).
func (r Room) onMatchError(p *api.Policy) scope.Effect {
	if mutates(p.PolicyKind()) || generates(p.PolicyKind()) {
		return r.onError(p)
	}
	return whenDenied(p)
}

// onError is what a failed condition does to the request.
func (r Room) onError(p *api.Policy) scope.Effect {
	switch {
	case r.FailurePolicy(p) == v1.Ignore:
		return scope.Skipped
	case mutates(p.PolicyKind()):
		return scope.Rejected
	}
	return whenDenied(p)
}

// whenDenied is what an error does in a policy that validates: one without actions denies.
func whenDenied(p *api.Policy) scope.Effect {
	if len(p.Spec.Actions) == 0 {
		return scope.Rejected
	}
	for _, action := range p.Spec.Actions {
		if action == v1.Deny {
			return scope.Rejected
		}
	}
	return scope.Skipped
}

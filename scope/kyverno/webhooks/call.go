package webhooks

import (
	"github.com/ambit-k8s/ambit/scope/kyverno/api"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// call is one kind of policies in one of the configurations. Groups, suffixes and paths are worked out within a call
// (pkg/controllers/webhook/controller.go, buildForJSONPoliciesValidation and buildForJSONPoliciesMutation).
type call struct {
	kind     api.Kind
	mutating bool
	// base begins the names of the webhooks, path their paths.
	base, path string
	// unordered says that the rules are neither sorted nor freed of repetitions.
	unordered bool
	// digests leaves out the policies that do not pin images to digests: they have nothing to change.
	digests bool
}

// calls lists them in the order in which the controller makes them.
func calls(r release.Release) []call {
	all := []call{
		{kind: api.ValidatingPolicy, base: "vpol.validate.kyverno.svc", path: "/vpol"},
		{kind: api.NamespacedValidatingPolicy, base: "nvpol.validate.kyverno.svc", path: "/nvpol"},
		{kind: api.GeneratingPolicy, base: "gpol.validate.kyverno.svc", path: "/gpol"},
	}
	if r.AtLeast(1, 19, 0) {
		all = append(all, call{kind: api.NamespacedGeneratingPolicy, base: "ngpol.validate.kyverno.svc", path: "/ngpol"})
	}
	all = append(all,
		call{kind: api.ImageValidatingPolicy, base: "ivpol.validate.kyverno.svc", path: "/ivpol/validate"},
		// The namespaced kind has the base name of the other one, so that two of these webhooks may have one name.
		call{
			kind: api.NamespacedImageValidatingPolicy, base: "ivpol.validate.kyverno.svc", path: "/nivpol/validate",
			unordered: true,
		},
		call{kind: api.MutatingPolicy, mutating: true, base: "mpol.validate.kyverno.svc", path: "/mpol"},
	)
	if r.AtLeast(1, 17, 0) {
		base := "nmpol.validate.kyverno.svc"
		if !r.AtLeast(1, 19, 0) {
			base = "mpol.validate.kyverno.svc"
		}
		all = append(all, call{kind: api.NamespacedMutatingPolicy, mutating: true, base: base, path: "/nmpol"})
	}
	images := call{mutating: true, base: "ivpol.mutate.kyverno.svc", digests: r.AtLeast(1, 19, 0)}
	cluster, namespaced := images, images
	cluster.kind, cluster.path = api.ImageValidatingPolicy, "/ivpol/mutate"
	namespaced.kind, namespaced.path = api.NamespacedImageValidatingPolicy, "/nivpol/mutate"
	return append(all, cluster, namespaced)
}

// takes reports whether the call is made for a policy.
func (c call) takes(p *api.Policy) bool {
	if p.PolicyKind() != c.kind || !p.Admits() {
		return false
	}
	if replaceable(c.kind) && p.Status.Generated {
		return false
	}
	return !c.digests || p.Spec.Images == nil || p.Spec.Images.MutateDigest == nil || *p.Spec.Images.MutateDigest
}

// replaceable reports whether a policy of the API server may stand in place of the webhook.
func replaceable(kind api.Kind) bool {
	switch kind {
	case api.ValidatingPolicy, api.NamespacedValidatingPolicy, api.MutatingPolicy, api.NamespacedMutatingPolicy:
		return true
	}
	return false
}

func generates(kind api.Kind) bool {
	return kind == api.GeneratingPolicy || kind == api.NamespacedGeneratingPolicy
}

// Package rules has the rules of a legacy policy: those that are written, those that Kyverno derives from them for pod
// controllers, and what each of them does to a request.
package rules

import "github.com/ambit-k8s/ambit/scope/kyverno/api"

// Rule is a rule of a policy, as written or derived.
type Rule struct {
	api.Rule
	// Index is the place in spec.rules of the rule that is written; of a derived rule, of the one that it is derived
	// from.
	Index int
	// Controllers are the kinds that a derived rule is for; nil for a rule that is written.
	Controllers []string
}

// Derived reports whether Kyverno derived the rule.
func (r *Rule) Derived() bool { return r.Controllers != nil }

// Validates reports whether the rule has a validation. An empty one counts: the custom resource definition fills it
// with a default (api/kyverno/v1/rule_types.go, HasValidate).
func (r *Rule) Validates() bool { return r.Validate != nil }

// MutatesOthers reports whether the rule changes objects that exist, when a request for another object starts it
// (HasMutateExisting).
func (r *Rule) MutatesOthers() bool { return r.Mutate["targets"] != nil }

// Mutates reports whether the rule changes the object of the request (HasMutateStandard).
func (r *Rule) Mutates() bool {
	patches := r.Mutate["patchStrategicMerge"] != nil || r.Mutate["mutateExistingOnPolicyUpdate"] != nil
	return !r.MutatesOthers() && (patches || says(r.Mutate))
}

// Generates reports whether the rule makes other objects (HasGenerate).
func (r *Rule) Generates() bool { return says(r.Generate) }

// VerifiesImages reports whether the rule verifies signatures of images, which it does in the mutating half of
// admission (HasVerifyImages).
func (r *Rule) VerifiesImages() bool { return len(r.VerifyImages) > 0 }

// ChecksImages reports whether the rule also checks, in the validating half, that images were verified
// (HasVerifyImageChecks). Both of its switches are on where they are not written: the custom resource definition has
// these defaults.
func (r *Rule) ChecksImages() bool {
	for _, images := range r.VerifyImages {
		if images["verifyDigest"] != false || images["required"] != false {
			return true
		}
	}
	return false
}

// VerifiesManifest reports whether the rule verifies the signature of the manifest (HasVerifyManifests).
func (r *Rule) VerifiesManifest() bool {
	manifests, _ := r.Validate["manifests"].(map[string]any)
	attestors, _ := manifests["attestors"].([]any)
	return len(attestors) > 0
}

// says reports whether a part of a rule says anything, as the struct that Kyverno decodes it into would differ from
// none.
func says(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case map[string]any:
		for _, field := range v {
			if says(field) {
				return true
			}
		}
		return false
	case []any:
		return len(v) > 0
	case string:
		return v != ""
	case bool:
		return v
	}
	return true
}

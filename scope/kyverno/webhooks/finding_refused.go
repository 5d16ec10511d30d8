package webhooks

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// refusals are about what the API server does not accept. It refuses a configuration as a whole, so that one policy
// keeps all others of the configuration as they were.
func (b *builder) refusals() {
	b.duplicates()
	for _, e := range b.entries {
		if why := refused(e); len(why) > 0 {
			b.add(Finding{
				Kind: "refused", Severity: Error, Policies: e.Givers, Entry: e.Name,
				Message: fmt.Sprintf("The API server refuses the webhook %s and with it all of %s: %s.",
					e.Name, e.configuration(), strings.Join(why, "; ")),
				Why: "Kyverno writes what the policy says, and the API server's rules for webhooks are stricter than those " +
					"for policies. What it refuses once it refuses each time, and no change of any policy reaches the cluster's " +
					"webhooks.",
				Fix: "Change the policy.",
			})
		}
	}
}

func (e *Entry) configuration() string {
	if e.Mutating {
		return MutatingName
	}
	return ValidatingName
}

// duplicates are two webhooks with one name in one configuration.
func (b *builder) duplicates() {
	for i, e := range b.entries {
		if i > 0 && b.same(i-1, i) {
			continue
		}
		refs, paths := e.Members, []string{e.Path}
		for j := i + 1; j < len(b.entries) && b.same(i, j); j++ {
			refs, paths = slices.Concat(refs, b.entries[j].Members), append(paths, b.entries[j].Path)
		}
		if len(paths) < 2 {
			continue
		}
		b.add(Finding{
			Kind: "duplicate-name", Severity: Error, Policies: refs, Entry: e.Name,
			Message: fmt.Sprintf("%d webhooks are named %s (%s). The API server refuses all of %s, which stays as it was.",
				len(paths), e.Name, strings.Join(paths, " and "), e.configuration()),
			Why: "Kyverno builds the name from the kind, the failure policy, the selectors and, for a webhook of one " +
				"policy, from namespace and name, and two of these may come to the same (kyverno #16141, #17557). No change of " +
				"any policy reaches the cluster's webhooks then.",
			Fix: "Let the policies differ in what the name is made of: give one of them matchConditions, another " +
				"failurePolicy or other selectors.",
		})
	}
}

// same is for entries in order.
func (b *builder) same(i, j int) bool {
	return b.entries[i].Name == b.entries[j].Name && b.entries[i].Mutating == b.entries[j].Mutating
}

// refused lists what the API server finds wrong with a webhook
// (k8s.io/kubernetes/pkg/apis/admissionregistration/validation, validateValidatingWebhook), as far as a policy can
// bring it about.
func refused(e *Entry) []string {
	var why []string
	for _, err := range validation.IsFullyQualifiedName(field.NewPath("name"), e.Name) {
		why = append(why, err.Error())
	}
	if t := e.TimeoutSeconds; t != nil && (*t < 1 || *t > 30) {
		why = append(why, fmt.Sprintf("timeoutSeconds is %d, and must be between 1 and 30", *t))
	}
	if n := len(e.Conditions); n > 64 {
		why = append(why, fmt.Sprintf("there are %d match conditions, those for controllers included, and at most 64 are "+
			"allowed", n))
	}
	seen := map[string]bool{}
	for _, c := range e.Conditions {
		if errs := validation.IsQualifiedName(c.Name); len(errs) > 0 {
			why = append(why, fmt.Sprintf("the name %q of a match condition: %s", c.Name, strings.Join(errs, ", ")))
		}
		if seen[c.Name] {
			why = append(why, fmt.Sprintf("two match conditions are named %q", c.Name))
		}
		seen[c.Name] = true
	}
	why = append(why, refusedSelector(e.NamespaceSelector, "namespaceSelector")...)
	why = append(why, refusedSelector(e.ObjectSelector, "objectSelector")...)
	for _, r := range e.Rules {
		why = append(why, refusedRule(r)...)
	}
	return why
}

func refusedSelector(s *metav1.LabelSelector, name string) []string {
	var why []string
	options := metav1validation.LabelSelectorValidationOptions{}
	for _, err := range metav1validation.ValidateLabelSelector(s, options, field.NewPath(name)) {
		why = append(why, err.Error())
	}
	return why
}

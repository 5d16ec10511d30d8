package webhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/kyverno/api"
)

// pair is the two selectors of a webhook.
type pair struct{ namespace, object *metav1.LabelSelector }

// selectorsOf are the selectors that a policy's webhook has (pkg/controllers/webhook/validating.go,
// resolveNamespaceSelector). Since 1.19 a namespaced policy's is pinned to its namespace by the label that every
// Namespace has, and its own namespaceSelector is left out; before, nothing but the engine keeps such a policy to its
// namespace.
func (b *builder) selectorsOf(p *api.Policy) pair {
	match := p.Match()
	namespace := match.NamespaceSelector
	if p.Namespace != "" && b.in.Release.Grouped() {
		namespace = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
			{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: []string{p.Namespace}},
		}}
	}
	return pair{join(namespace, b.config.NamespaceSelector), join(match.ObjectSelector, b.config.ObjectSelector)}
}

// join is a policy's selector together with the ConfigMap's (mergeLabelSelectors). It is no logical "and": of a label
// that both ask for, the ConfigMap's value is left.
func join(policy, global *metav1.LabelSelector) *metav1.LabelSelector {
	switch {
	case policy == nil:
		return global
	case global == nil:
		return policy
	}
	joined := &metav1.LabelSelector{MatchExpressions: slices.Concat(policy.MatchExpressions, global.MatchExpressions)}
	if len(policy.MatchLabels)+len(global.MatchLabels) > 0 {
		joined.MatchLabels = map[string]string{}
		maps.Copy(joined.MatchLabels, policy.MatchLabels)
		maps.Copy(joined.MatchLabels, global.MatchLabels)
	}
	return joined
}

// key is what a pair hashes to (selectorKey). It is about the text: pairs that are equal in effect and written in two
// ways have two keys.
func (s pair) key() string {
	text, err := json.Marshal([]*metav1.LabelSelector{s.namespace, s.object})
	if err != nil {
		// Selectors are made of texts alone, which JSON can always write.
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

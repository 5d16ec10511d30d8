package config

import (
	"encoding/json"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Parse reads the ConfigMap; nil stands for none. What Kyverno cannot read it logs and leaves out, and so does Parse.
func Parse(cm *corev1.ConfigMap) *Config {
	c := &Config{}
	if cm == nil {
		return c
	}
	c.Namespace = cm.Namespace
	c.Filters = c.filters(cm.Data["resourceFilters"])
	for key, lists := range map[string][2]*[]string{
		"excludeUsernames":    {&c.Excluded.Usernames, &c.Included.Usernames},
		"excludeGroups":       {&c.Excluded.Groups, &c.Included.Groups},
		"excludeRoles":        {&c.Excluded.Roles, &c.Included.Roles},
		"excludeClusterRoles": {&c.Excluded.ClusterRoles, &c.Included.ClusterRoles},
	} {
		*lists[0], *lists[1] = identities(cm.Data[key])
	}
	var selectors struct {
		NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector"`
		ObjectSelector    *metav1.LabelSelector `json:"objectSelector"`
	}
	if read(c, cm, "webhooks", &selectors, "so no selector of it stands on any webhook") {
		c.NamespaceSelector, c.ObjectSelector = selectors.NamespaceSelector, selectors.ObjectSelector
	}
	var labels, annotations map[string]string
	if read(c, cm, "webhookLabels", &labels, "so the webhook configurations get no labels of it") {
		c.WebhookLabels = labels
	}
	if read(c, cm, "webhookAnnotations", &annotations, "so the webhook configurations get no annotations of it") {
		c.WebhookAnnotations = annotations
	}
	var conditions []v1.MatchCondition
	if read(c, cm, "matchConditions", &conditions, "so webhooks of legacy policies have no conditions of it") {
		c.MatchConditions = conditions
	}
	return c
}

// read decodes the JSON under a key with the same decoder as Kyverno, which minds neither unknown fields nor the case
// of known ones.
func read(c *Config, cm *corev1.ConfigMap, key string, into any, lost string) bool {
	text, ok := cm.Data[key]
	if !ok {
		return false
	}
	err := json.Unmarshal([]byte(text), into)
	if err != nil {
		c.Problems = append(c.Problems, problem(key, text, err)+", "+lost)
	}
	return err == nil
}

// identities takes a list apart into what it excludes and what, after a !, it includes (pkg/config/types.go,
// parseExclusions).
func identities(list string) (excluded, included []string) {
	for _, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		pattern, not := strings.CutPrefix(word, "!")
		switch pattern = strings.TrimSpace(pattern); {
		case pattern == "":
		case not:
			included = append(included, pattern)
		default:
			excluded = append(excluded, pattern)
		}
	}
	return excluded, included
}

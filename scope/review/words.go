package review

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// Conditions are texts, and nothing works out what they are true for. But most of those that
// people write compare something with a word: a user, a group, a namespace, a label. The search
// gives candidates these words, one after the other, in each place where they may belong.

// quoted is a text in an expression.
var quoted = regexp.MustCompile(`'([^'\\]{1,253})'|"([^"\\]{1,253})"`)

// key is a label or an annotation that an expression names as a field.
var key = regexp.MustCompile(`(?:labels|annotations)\.\??([A-Za-z_][A-Za-z0-9_]*)`)

// mostWords bounds how many words of the conditions of a policy are tried.
const mostWords = 40

// words lists the words in the conditions of both sides.
func (p *pair) words() []string {
	var all []string
	add := func(word string) {
		if !slices.Contains(all, word) && len(all) < mostWords {
			all = append(all, word)
		}
	}
	for _, policy := range []*scope.Policy{p.before, p.after} {
		for _, expression := range expressions(policy) {
			for _, m := range key.FindAllStringSubmatch(expression, -1) {
				add(m[1])
			}
			for _, m := range quoted.FindAllStringSubmatch(expression, -1) {
				add(m[1] + m[2])
			}
		}
	}
	return all
}

// vary lists what a word can be in a candidate.
func vary(c candidate, word, next string) []candidate {
	user, grouped, named, labelled, annotated := c, c, c, c, c
	user.user.Username = word
	grouped.user.Groups = append(slices.Clone(c.user.Groups), word)
	named.name = strings.TrimSuffix(word, "-") + strings.Repeat("x", strings.Count(word[max(0, len(word)-1):], "-"))
	labelled.labels = with(c.labels, word, next)
	annotated.annotations = with(c.annotations, word, next)
	all := []candidate{user, grouped, named, labelled, annotated}
	if c.resource.Namespaced && !c.known {
		elsewhere := c
		elsewhere.namespace = c.namespace.DeepCopy()
		elsewhere.namespace.Name = word
		elsewhere.namespace.Labels = with(c.namespace.Labels, "kubernetes.io/metadata.name", word)
		all = append(all, elsewhere)
	}
	return all
}

func with(m map[string]string, key, value string) map[string]string {
	more := map[string]string{}
	maps.Copy(more, m)
	more[key] = value
	return more
}

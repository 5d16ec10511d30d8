package views

import (
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"

	"github.com/ambit-k8s/ambit/scope"
)

// requestLine writes what flow control sees of a request as one line, as for kubectl. It
// is empty for a request that no line stands for.
func requestLine(r *scope.Request) string {
	a := &r.Access
	if len(a.Verbs) == 0 || !a.ForResource() {
		return ""
	}
	verb := a.Verbs[0]
	resource := a.Resource
	if a.APIGroup != "" {
		resource += "." + a.APIGroup
	}
	words := []string{verb, resource}
	if r.Name != "" && !slices.Contains([]string{"create", "deletecollection"}, verb) {
		words = append(words, r.Name)
	}
	if a.Subresource != "" {
		words = append(words, "--subresource="+a.Subresource)
	}
	if a.Namespace != "" && r.Kind.Kind != "Namespace" {
		words = append(words, "-n", a.Namespace)
	}
	if r.User == nil {
		return strings.Join(words, " ")
	}
	if r.User.Username != "" {
		words = append(words, "--as", quoteWord(r.User.Username))
	}
	if _, _, err := serviceaccount.SplitUsername(r.User.Username); err == nil {
		// The groups of a service account follow from its name.
		return strings.Join(words, " ")
	}
	for _, group := range r.User.Groups {
		words = append(words, "--as-group", quoteWord(group))
	}
	return strings.Join(words, " ")
}

// quoteWord writes a word so that a space in it does not end it.
func quoteWord(word string) string {
	if strings.ContainsAny(word, " \t'\"\\") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

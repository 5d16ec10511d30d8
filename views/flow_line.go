package views

import (
	"net/url"
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/ambit-k8s/ambit/scope/flow"
)

// digestLine writes a request as one line, as for kubectl, that the explore page takes.
func digestLine(d *flow.Digest) string {
	var words []string
	if d.Path != "" {
		words = append(words, strings.ToUpper(d.Verb), d.Path)
	} else {
		words = append(words, d.Verb, typeWord(d))
		if d.Verb == "get" {
			// Without a name kubectl would list.
			words = append(words, "example")
		}
		if d.Subresource != "" {
			words = append(words, "--subresource", d.Subresource)
		}
		if d.Namespace == "" {
			words = append(words, "-A")
		} else {
			words = append(words, "-n", d.Namespace)
		}
	}
	return strings.Join(append(words, asWords(d)...), " ")
}

func typeWord(d *flow.Digest) string {
	if d.APIGroup == "" {
		return d.Resource
	}
	return d.Resource + "." + d.APIGroup
}

// asWords say who asks. The groups of a service account, and of who is not logged in,
// follow from the name.
func asWords(d *flow.Digest) []string {
	words := []string{"--as", oneWord(d.User)}
	if _, _, err := serviceaccount.SplitUsername(d.User); err == nil || d.User == user.Anonymous {
		return words
	}
	for _, g := range d.Groups {
		words = append(words, "--as-group", oneWord(g))
	}
	return words
}

// oneWord quotes a name that a shell would take apart, such as CN=ops robot.
func oneWord(name string) string {
	if name != "" && !strings.ContainsAny(name, " \t'\"\\#") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// lineHref opens the explore page with a line.
func lineHref(line string) string { return "/explore?line=" + url.QueryEscape(line) }

package flow

import (
	"slices"
	"strings"
)

// words says what requests a box holds, which is what two rules have in common.
func (b box) words() string {
	verb := "any verb"
	if !b[inVerb].except && len(b[inVerb].listed) < len(apiVerbs) {
		verb = list(b[inVerb].listed)
	}
	if b[inResource].isPaths() {
		return verb + " " + pathWords(b[inResource].listed)
	}
	words := verb + " " + b[inResource].words("any resource")
	if !b[inGroup].except {
		words += " of " + groups(b[inGroup].listed)
	}
	return words + ", " + b.placeWords()
}

// isPaths reports whether the set stands for URL paths, which begin with a slash as no
// resource does.
func (t tokens) isPaths() bool { return !t.except && strings.HasPrefix(t.listed[0], "/") }

func (t tokens) words(all string) string {
	if t.except {
		return all
	}
	return list(t.listed)
}

func (b box) placeWords() string {
	switch t := b[inPlace]; {
	case t.except && t.has(""):
		return "in any namespace or none"
	case t.except:
		return "in any namespace"
	case len(t.listed) == 1 && t.has(""):
		return "in no namespace"
	case t.has(""):
		return "in " + list(t.listed[1:]) + ", or in no namespace"
	default:
		return "in " + list(t.listed)
	}
}

// pathWords names paths, of which one that ends with a slash stands for all below it.
func pathWords(paths []string) string {
	var words []string
	for _, path := range paths {
		switch {
		case path == "/":
			return "any path"
		case !strings.HasSuffix(path, "/"):
			words = append(words, path)
		case !slices.Contains(paths, strings.TrimSuffix(path, "/")):
			words = append(words, "everything below "+path)
		default:
			words = append(words, "everything below it")
		}
	}
	return strings.Join(words, " and ")
}

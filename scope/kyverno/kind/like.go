package kind

import "strings"

// Like reports whether a text is like a pattern, in which * stands for any number of characters and ? for exactly
// one. An empty pattern is like the empty text alone (github.com/IGLOU-EU/go-wildcard v1.0.3, Match).
func Like(pattern, text string) bool {
	if !HasWildcard(pattern) {
		return pattern == text
	}
	p, t := []rune(pattern), []rune(text)
	i, j := 0, 0
	// star is where the last * stands, and taken how far it reaches; it takes one more when what follows does not fit.
	star, taken := -1, 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star, taken = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			taken++
			i, j = star+1, taken
		default:
			return false
		}
	}
	return strings.Trim(string(p[i:]), "*") == ""
}

// LikeAny reports whether a text is like one of several patterns.
func LikeAny(patterns []string, text string) bool {
	for _, p := range patterns {
		if Like(p, text) {
			return true
		}
	}
	return false
}

// HasWildcard reports whether a text is a pattern rather than a name.
func HasWildcard(text string) bool { return strings.ContainsAny(text, "*?") }

package views

import (
	"slices"
	"strings"
)

// Style is how one phrase of a sentence is set.
type Style string

// A phrase is plain, stressed, or quoted from a manifest.
const (
	Plain  Style = ""
	Strong Style = "strong"
	Quoted Style = "quoted"
)

// Phrase is a part of a sentence. With an Href it is a link.
type Phrase struct {
	Text  string
	Style Style
	Href  string
}

// Sentence is text with a few stressed parts. It exists once for the pages, which set the
// stress, and for filters and titles, which take the words alone.
type Sentence []Phrase

// String returns the words without any stress.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
	}
	return b.String()
}

func (s Sentence) plain(text string) Sentence  { return append(s, Phrase{Text: text}) }
func (s Sentence) strong(text string) Sentence { return append(s, Phrase{Text: text, Style: Strong}) }
func (s Sentence) quoted(text string) Sentence { return append(s, Phrase{Text: text, Style: Quoted}) }
func (s Sentence) link(text, href string) Sentence {
	return append(s, Phrase{Text: text, Href: href})
}

// unlinked is the same sentence for a place in which no link may be.
func (s Sentence) unlinked() Sentence {
	bare := slices.Clone(s)
	for i := range bare {
		bare[i].Href = ""
	}
	return bare
}

// links are the parts of a sentence that lead somewhere.
func (s Sentence) links() []Phrase {
	return slices.DeleteFunc(slices.Clone(s), func(p Phrase) bool { return p.Href == "" })
}

// list joins words as people do: a, b and c.
func list(words []string, and string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + and + " " + words[len(words)-1]
}

// listSome joins the first few words and counts the rest.
func listSome(words []string, most int) string {
	if len(words) <= most+1 {
		return list(words, "and")
	}
	return strings.Join(words[:most], ", ") + " and " + count(len(words)-most) + " more"
}

// capital writes the first letter large.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

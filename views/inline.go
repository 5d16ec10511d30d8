package views

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// say sets a sentence with its stress. It is written out here because a template puts
// white space between the parts, and a sentence has commas.
func say(s Sentence) templ.Component {
	return inline(func(b *strings.Builder) {
		for _, p := range s {
			text := templ.EscapeString(p.Text)
			switch {
			case p.Href != "":
				if p.Style == Strong {
					text = "<b>" + text + "</b>"
				}
				b.WriteString(`<a href="` + templ.EscapeString(p.Href) + `">` + text + `</a>`)
			case p.Style == Strong:
				b.WriteString("<b>" + text + "</b>")
			case p.Style == Quoted:
				b.WriteString("<code>" + text + "</code>")
			default:
				b.WriteString(text)
			}
		}
	})
}

// code sets a CEL expression with its highlights, and behind a token the value that ends
// there.
func code(tokens []Token) templ.Component {
	return inline(func(b *strings.Builder) {
		for _, t := range tokens {
			text := templ.EscapeString(t.Text)
			if t.Class == "" {
				b.WriteString(text)
				continue
			}
			b.WriteString(`<span class="` + t.Class + `">` + text + "</span>")
		}
	})
}

func inline(write func(b *strings.Builder)) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		write(&b)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// difference sets lines of two texts one below the other, each with its sign. It is written out here because every white
// space counts.
func difference(lines []DiffLine) templ.Component {
	return inline(func(b *strings.Builder) {
		for _, l := range lines {
			tag := map[string]string{"-": "del", "+": "ins"}[l.Sign]
			if tag == "" {
				tag = "span"
			}
			sign := strings.Replace(l.Sign, "-", "−", 1)
			b.WriteString("<" + tag + "><span>" + sign + "</span> " + templ.EscapeString(l.Text) + "\n</" + tag + ">")
		}
	})
}

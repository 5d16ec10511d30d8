package main

import (
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/review"
)

// verdicts are the colours of verdicts.
var verdicts = map[review.Verdict]style{review.Identical: green, review.VolumeOnly: blue, review.Undecided: yellow, review.CoverageChange: red}

// nothingChanged is what a review says without changes.
const nothingChanged = "No policy changed."

// writeReviewText writes a review for a person to read.
func writeReviewText(w io.Writer, r *review.Review) error {
	t := newText(w)
	if len(r.Changes) == 0 {
		t.line(0, nothingChanged)
	}
	for _, c := range r.Changes {
		head := t.paint(verdicts[c.Verdict], string(c.Verdict)) + "  " + oneLine(c.Policy.Title()) + "  " + t.paint(faint, string(c.Way))
		t.line(0, "%s", head)
		t.line(1, "%s", oneLine(c.Why))
		for _, d := range c.Drops {
			t.line(1, "%s", dropWords(d))
		}
		for _, witness := range c.Witnesses {
			t.line(1, "%s", witnessWords(witness))
		}
		t.line(0, "")
	}
	if len(r.Changes) > 0 {
		t.line(0, "%s.", reviewSummary(r))
	}
	return t.err
}

// writeReviewJSON writes the document of the contract as JSON.
func writeReviewJSON(w io.Writer, r *review.Review) error { return encodeJSON(w, r) }

// writeReviewYAML writes the document of the contract as YAML.
func writeReviewYAML(w io.Writer, r *review.Review) error {
	data, err := yaml.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// writeReviewMarkdown writes a review as a comment on a change would have it.
func writeReviewMarkdown(w io.Writer, r *review.Review) error {
	var b strings.Builder
	if len(r.Changes) == 0 {
		b.WriteString(nothingChanged + "\n")
	} else {
		fmt.Fprintf(&b, "**%s**\n\n| verdict | policy | change | why | shown by |\n|---|---|---|---|---|\n", reviewSummary(r))
	}
	for _, c := range r.Changes {
		shown := make([]string, 0, len(c.Drops)+len(c.Witnesses))
		for _, d := range c.Drops {
			shown = append(shown, cell.Replace(dropWords(d)))
		}
		for _, witness := range c.Witnesses {
			shown = append(shown, cell.Replace(witnessWords(witness)))
		}
		cells := []string{string(c.Verdict), cell.Replace(oneLine(c.Policy.Title())), string(c.Way), cell.Replace(c.Why), strings.Join(shown, "<br>")}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// dropWords says which objects that exist are lost or gained at a layer.
func dropWords(d review.Drop) string {
	text := fmt.Sprintf("%s: %s", d.Direction, count(d.Objects, "existing object", "existing objects"))
	if d.Layer != "" {
		text += ", by " + string(d.Layer)
	}
	return oneLine(text + ": " + strings.Join(d.Examples, ", ") + more(d.Objects-len(d.Examples)))
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// witnessWords says a witness in a line.
func witnessWords(w review.Witness) string {
	text := fmt.Sprintf("%s: %s", w.Direction, w.Words())
	if w.DecidedBy != "" {
		text += ", by " + string(w.DecidedBy)
	}
	return oneLine(text)
}

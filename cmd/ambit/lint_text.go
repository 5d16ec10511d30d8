package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/ambit-k8s/ambit/scope/hazard"
)

// severities are the colours of severities.
var severities = map[hazard.Severity]style{hazard.Error: red, hazard.Warning: yellow, hazard.Info: blue}

// writeLintText writes findings for a person to read.
func writeLintText(w io.Writer, r lintReport) error {
	t := newText(w)
	if len(r.findings) == 0 {
		t.line(0, "Nothing found in %s.", count(len(r.policies), "policy", "policies"))
	}
	for _, f := range r.findings {
		head := t.paint(severities[f.Severity], string(f.Severity)) + "  " + f.Rule
		if at, ok := r.places.of(f); ok {
			head = at.String() + "  " + head
		}
		t.line(0, "%s", head)
		t.line(1, "%s  %s", policyTitle(f), t.paint(faint, f.Field))
		t.line(1, "%s", strings.TrimSpace(f.Message+" "+concerns(f)))
		t.line(1, "To do: %s\n", f.Fix)
	}
	return t.err
}

// newLintDocument is the document of the contract; its list is there also when it is empty.
func newLintDocument(r lintReport) hazard.Document {
	d := hazard.Document{Findings: r.findings}
	if d.Findings == nil {
		d.Findings = []hazard.Finding{}
	}
	return d
}

// writeLintJSON writes the document of the contract as JSON.
func writeLintJSON(w io.Writer, r lintReport) error { return encodeJSON(w, newLintDocument(r)) }

// encodeJSON writes JSON for people, too.
func encodeJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// writeLintYAML writes the document of the contract as YAML.
func writeLintYAML(w io.Writer, r lintReport) error {
	data, err := yaml.Marshal(newLintDocument(r))
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// writeLintMarkdown writes findings as a comment on a change would have them.
func writeLintMarkdown(w io.Writer, r lintReport) error {
	var b strings.Builder
	if len(r.findings) == 0 {
		fmt.Fprintf(&b, "Nothing found in %s.\n", count(len(r.policies), "policy", "policies"))
	} else {
		fmt.Fprintf(&b, "**%s**\n\n| severity | rule | policy | place | what | to do |\n|---|---|---|---|---|---|\n", summary(r.findings))
	}
	for _, f := range r.findings {
		place := "`" + code.Replace(f.Field) + "`"
		if at, ok := r.places.of(f); ok {
			place += cell.Replace(" (" + at.String() + ")")
		}
		what := strings.TrimSpace(f.Message + " " + concerns(f))
		cells := []string{string(f.Severity), f.Rule, cell.Replace(policyTitle(f)), place, cell.Replace(what), cell.Replace(f.Fix)}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// cell writes text so that it stays in one cell of a table. Messages quote what others wrote,
// so markup in them must not become markup here.
var cell = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`)

// code writes text so that it stays in a code span in a cell, where nothing else is markup.
var code = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "`", "'")

package views

import (
	"slices"

	"github.com/ambit-k8s/ambit/scope"
)

// mentions collects which lines of the pasted text decided about which policies.
type mentions struct{ byLine map[int]*mentioned }

type mentioned struct{ out, failed []string }

// add notes the line that decided a row.
func (m *mentions) add(t *scope.Trace, row Row, reason *Reason) {
	if reason == nil || reason.Line == 0 {
		return
	}
	at := m.byLine[reason.Line]
	if at == nil {
		at = &mentioned{}
		m.byLine[reason.Line] = at
	}
	if t.Outcome == scope.Error {
		at.failed = append(at.failed, row.Name)
	} else {
		at.out = append(at.out, row.Name)
	}
}

// all returns the mentions from the top of the text to its end.
func (m *mentions) all() []Mention {
	lines := make([]int, 0, len(m.byLine))
	for line := range m.byLine {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	all := make([]Mention, 0, len(lines))
	for _, line := range lines {
		at := m.byLine[line]
		if len(at.out) > 0 {
			all = append(all, Mention{line, "deciding", "keeps " + listSome(unique(at.out), 2) + " out"})
		}
		if len(at.failed) > 0 {
			all = append(all, Mention{line, "deciding", listSome(unique(at.failed), 2) + " fails here"})
		}
	}
	return all
}

func unique(words []string) []string {
	var kept []string
	for _, w := range words {
		if !slices.Contains(kept, w) {
			kept = append(kept, w)
		}
	}
	return kept
}

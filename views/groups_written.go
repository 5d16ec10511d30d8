package views

import (
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/selector"
)

// add puts a policy into the group, with those whose selectors are written the same.
func (g *SelectorGroup) add(e *Entry, shown GroupPolicy) {
	g.Policies++
	w := writtenOf(e)
	for i := range g.Written {
		if g.Written[i].Namespace == w.Namespace && g.Written[i].Object == w.Object {
			g.Written[i].Policies = append(g.Written[i].Policies, shown)
			return
		}
	}
	w.Policies = []GroupPolicy{shown}
	g.Written = append(g.Written, w)
}

// writtenOf writes the selectors of a policy as they stand, with those of its binding or, for a policy of Kyverno, below
// those of its webhook.
func writtenOf(e *Entry) WrittenSelectors {
	var namespace, object []string
	for _, l := range slices.Concat(e.Own, e.Bound) {
		switch {
		case l.Selector == nil:
		case l.OfNamespace:
			namespace = appendWritten(namespace, l.Selector)
		case l.OfObject:
			object = appendWritten(object, l.Selector)
		}
	}
	between := " and, in the binding, "
	if isKyverno(e.Policy) {
		between = " and, in Kyverno, "
	}
	return WrittenSelectors{Namespace: joinWritten(namespace, between), Object: joinWritten(object, between)}
}

// appendWritten leaves out a selector that asks for nothing: there are three ways to write
// that, and they are no news.
func appendWritten(all []string, s *selector.Selector) []string {
	if s.Err() == nil && s.Extent().Everything() && s.Empty() {
		return all
	}
	return append(all, selectorText(s.Written))
}

func joinWritten(all []string, between string) string {
	if len(all) == 0 {
		return "nothing asked"
	}
	return strings.Join(all, between)
}

// The words for halves of a pair that ask for nothing, or for too much.
func halfWord(key, all, none string) string {
	switch key {
	case "everything":
		return all
	case "nothing":
		return none
	}
	return key
}

func (g SelectorGroup) namespaceWord() string {
	return halfWord(g.Namespace, "every namespace", "no namespace")
}

func (g SelectorGroup) objectWord() string { return halfWord(g.Object, "every object", "no object") }

// title names a group by what it selects.
func (g SelectorGroup) title() string {
	if g.pair.Namespace.Everything() {
		return g.objectWord()
	}
	if g.pair.Object.Everything() {
		return g.namespaceWord()
	}
	return g.namespaceWord() + "; " + g.objectWord()
}

// isSpoken reports whether a half of a pair is said in words and not in requirements.
func isSpoken(key string) bool { return key == "everything" || key == "nothing" }

// fewRefs are the groups around or within a group that are named; the rest is counted.
const fewRefs = 8

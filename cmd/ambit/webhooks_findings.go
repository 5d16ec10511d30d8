package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/kyverno/webhooks"
)

// reportOrders says which other outcomes there are where the webhooks depend on what Kyverno met last.
func reportOrders(w io.Writer, known *kyverno.Report) {
	if len(known.Predicted.Orders) == 0 {
		return
	}
	fmt.Fprintf(w, "note: Under Kyverno %s the policies of a kind share their webhooks, with the selectors of the one "+
		"that it met last, and that changes. What is printed is the first outcome of each.\n", known.Release)
	for _, o := range known.Predicted.Orders {
		words := "the last one is " + strings.ReplaceAll(refs(o.Winners), ", ", " or ") + ": " + o.Base
		if len(o.Entries) > 0 {
			e := o.Entries[0]
			words += " has namespaceSelector " + selectorWords(e.NamespaceSelector) +
				" and objectSelector " + selectorWords(e.ObjectSelector)
		}
		if len(o.Silent) > 0 {
			words += "; never called for " + refs(o.Silent)
		}
		if len(o.Narrowed) > 0 {
			words += "; not always called for " + refs(o.Narrowed)
		}
		fmt.Fprintln(w, "note: If "+oneLine(words)+".")
	}
}

// reportFindings writes what the authors of the policies did not mean, for a person to read.
func reportFindings(w io.Writer, findings []webhooks.Finding) {
	for _, f := range findings {
		where := refs(f.Policies)
		if where == "" {
			where = f.Entry
		}
		if where != "" {
			where += ": "
		}
		fmt.Fprintf(w, "%s: %s: %s%s\n", f.Severity, f.Kind, oneLine(where), oneLine(f.Message))
		fmt.Fprintf(w, "  %s\n  To do: %s\n", oneLine(f.Why), oneLine(f.Fix))
	}
}

// writeDifferences writes how the webhooks of the cluster differ from the predicted ones. That they do is no failure, and
// is returned as what was found.
func writeDifferences(w io.Writer, known *kyverno.Report) (found, err error) {
	t := newText(w)
	for _, d := range known.Differences {
		t.line(0, "%s  %s", t.paint(yellow, string(d.Kind)), oneLine(d.Message))
		sides := []struct{ label, value string }{{"predicted", d.Predicted}, {"observed", d.Observed}}
		for _, side := range sides {
			if side.value == "" {
				continue
			}
			t.line(1, "%s", side.label)
			for _, line := range strings.Split(strings.TrimRight(side.value, "\n"), "\n") {
				t.line(2, "%s", oneLine(line))
			}
		}
	}
	if len(known.Differences) == 0 {
		t.line(0, "The webhooks are as Kyverno %s would write them.", known.Release)
		return nil, t.err
	}
	differences := count(len(known.Differences), "difference", "differences")
	return foundError{differences + " between the predicted webhooks and those of the cluster"}, t.err
}

package main

import (
	"strings"

	"github.com/ambit-k8s/ambit/scope"
)

// request writes what was asked, what of it was guessed and what stays open.
func (t *text) request(a answer) {
	d, r := a.derived, a.derived.Request
	verb, what := string(r.Operation), admitted(r)
	if verb == "" {
		verb, what = strings.Join(r.Access.Verbs, " or "), accessed(r, a.facts)
	}
	t.line(0, "%s %s", t.paint(bold, oneLine(verb)), oneLine(what))
	if r.User != nil {
		t.line(1, "asked by %s", who(r))
	}
	if len(d.Documents) > 1 {
		t.line(1, "document %d of %d; --document chooses another", d.Document.Index, len(d.Documents))
	}
	for _, g := range d.Guesses {
		t.line(1, "guessed: %s is %s, because %s", g.Field, g.Value, g.Why)
	}
	if open := paths(r.Open); open != "" {
		t.line(1, "open: %s", open)
	}
	if open := paths(r.OpenValidating); open != "" {
		t.line(1, "open while validating: %s", open)
	}
	for _, offer := range d.Offers {
		t.line(1, "%s will be a request of its own", offer.Title)
	}
}

// admitted names what admission is asked about.
func admitted(r *scope.Request) string {
	what := r.Resource.GroupResource().String()
	if r.Subresource != "" {
		what += "/" + r.Subresource
	}
	if r.Name != "" {
		what += " " + r.Name
	}
	if r.Namespace != "" {
		what += " in namespace " + r.Namespace
	}
	if r.DryRun {
		what += ", as a dry run"
	}
	return what
}

// accessed names what a request is for that only flow control is asked about.
func accessed(r *scope.Request, facts *scope.Facts) string {
	a := &r.Access
	if !a.ForResource() {
		return a.Path
	}
	what := r.Resource.GroupResource().String()
	if a.Subresource != "" {
		what += "/" + a.Subresource
	}
	if r.Name != "" {
		what += " " + r.Name
	}
	known, _ := facts.Resources.Find(r.Resource, "")
	switch {
	case a.Namespace == "" && known.Namespaced:
		what += " in all namespaces"
	case a.Namespace != "" && (a.Namespace != r.Name || a.Resource != "namespaces"):
		what += " in namespace " + a.Namespace
	}
	return what
}

func who(r *scope.Request) string {
	name := r.User.Username
	if name == "" {
		name = "somebody"
	}
	if len(r.User.Groups) > 0 {
		name += " of " + strings.Join(r.User.Groups, ", ")
	}
	return name
}

func paths(missing []scope.Missing) string {
	var all []string
	for _, m := range missing {
		all = append(all, m.Path)
	}
	return strings.Join(all, ", ")
}

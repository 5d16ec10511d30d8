package main

import (
	"strings"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/request"
)

// request writes what was asked, what of it was guessed and what stays open.
func (t *text) request(d *request.Derived) {
	r := d.Request
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
	t.line(0, "%s %s", t.paint(bold, string(r.Operation)), what)
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

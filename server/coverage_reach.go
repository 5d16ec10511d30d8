package server

import (
	"context"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/views"
)

// coverageNamespace shows what applies in a namespace.
func (s *server) coverageNamespace(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "", "/coverage")
	c, asked, err := s.coveredFor(r)
	if err != nil {
		return err
	}
	name := namespaceOf(param(r, "name"))
	var ns *corev1.Namespace
	if i := slices.IndexFunc(c.Namespaces, func(ns *corev1.Namespace) bool { return ns.Name == name }); i >= 0 {
		ns = c.Namespaces[i]
	}
	if name != "" && ns == nil && (c.result == nil || !slices.Contains(c.result.Population().Namespaces(), name)) {
		return missing("There is no namespace called " + name + " here. It may have been deleted since the link was made.")
	}
	page := views.NewNamespaceReachPage(c.Catalog, c.result, populationState(c.Population), asked, name, ns)
	if f := format(r); f != "" {
		return writeTable(w, f, namespaceTable(page))
	}
	if l.Title = name; name == "" {
		l.Title = "Outside of namespaces"
	}
	s.write(w, r, http.StatusOK, views.NamespaceReach(l, page))
	return nil
}

func namespaceTable(page views.NamespaceReachPage) table {
	t := table{name: "namespace", header: []string{"kind", "name", "entry", "mark", "applicable", "included", "error", "unknown"}}
	t.rows = func(yield func([]any) bool) {
		for _, row := range page.Rows {
			p, n := row.Policy, row.Counts
			if !yield([]any{p.Kind, views.PolicyName(p), p.Entry, n.Mark(), n.Applicable, n.Included, n.Error, n.Unknown}) {
				return
			}
		}
	}
	return t
}

// coverageObject shows what applies to an object, the way the explore page shows it.
func (s *server) coverageObject(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "", "/coverage")
	c, asked, err := s.coveredFor(r)
	if err != nil {
		return err
	}
	if c.result == nil {
		return noObjects()
	}
	resource, ok := resourceOf(c.result.Population(), param(r, "resource"))
	var object coverage.Object
	if ok {
		object, ok = c.result.Population().Find(resource, namespaceOf(param(r, "namespace")), param(r, "name"))
	}
	if !ok {
		return missing("There is no such object here. It may have been deleted since the link was made.")
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	traces, err := c.result.Explain(ctx, object)
	if err != nil {
		if message, slow := tooSlow(err); slow {
			return &Error{Status: http.StatusServiceUnavailable, Message: message}
		}
		return err
	}
	if f := format(r); f != "" {
		return writeTable(w, f, objectTable(traces))
	}
	nowhere := func(string) (int, bool) { return 0, false }
	result := views.NewResult(ctx, c.Catalog, traces, nowhere, r.URL.Query().Get("policy"))
	page := views.NewObjectReachPage(object, populationState(c.Population), asked, c.result.Ask(), result)
	l.Title = object.Name
	s.write(w, r, http.StatusOK, views.ObjectReach(l, page))
	return nil
}

func objectTable(traces []*scope.Trace) table {
	t := table{name: "object", header: []string{"kind", "name", "entry", "outcome", "decidedBy", "effect"}}
	t.rows = func(yield func([]any) bool) {
		for _, trace := range traces {
			p := trace.Policy
			if !yield([]any{p.Kind, views.PolicyName(p), p.Entry, trace.Outcome, trace.DecidedBy, trace.Effect}) {
				return
			}
		}
	}
	return t
}

// coverageUnreached lists what no policy reaches.
func (s *server) coverageUnreached(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "Reached by no policy", "/coverage")
	c, asked, err := s.coveredFor(r)
	if err != nil {
		return err
	}
	query := views.UnreachedQuery{Asked: asked, Resource: r.URL.Query().Get("resource"), Page: number(r, "page")}
	if f := format(r); f != "" {
		return writeTable(w, f, unreachedTable(c, query))
	}
	page := views.NewUnreachedPage(c.result, populationState(c.Population), query)
	s.write(w, r, http.StatusOK, views.Unreached(l, page))
	return nil
}

func unreachedTable(c *covered, q views.UnreachedQuery) table {
	t := table{name: "unreached", header: []string{"resource", "namespace", "name"}}
	t.rows = func(yield func([]any) bool) {
		if c.result == nil {
			return
		}
		for o := range c.result.Unreached() {
			resource := o.Resource.GroupResource().String()
			if (q.Resource == "" || q.Resource == resource) && !yield([]any{resource, o.Namespace, o.Name}) {
				return
			}
		}
	}
	return t
}

package server

import (
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/static"
	"github.com/ambit-k8s/ambit/views"
)

// layout is what every page carries. A handler makes it before it looks at the snapshot, so
// that a page never claims to be newer than it is.
func (s *server) layout(r *http.Request, title, here string) views.Layout {
	return views.Layout{
		Title: title, Here: here, Fresh: fresh(s.Source.Snapshot().About),
		Nonce: nonce(r), Asset: static.Path, Version: s.Version, Snapshot: s.numbers.newest(s.Source),
	}
}

// write renders a page as a whole before it sends the first byte, so that a page that
// cannot be rendered is an error and not half a page.
func (s *server) write(w http.ResponseWriter, r *http.Request, status int, page templ.Component) {
	templ.Handler(page, templ.WithStatus(status), templ.WithErrorHandler(func(r *http.Request, err error) http.Handler {
		s.Logger.Error("page not rendered", "path", r.URL.Path, "error", err)
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Something in Ambit went wrong. The log says what.", http.StatusInternalServerError)
		})
	})).ServeHTTP(w, r)
}

func (s *server) policies(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	l := s.layout(r, "Policies", "/policies")
	l.Script = "policies.js"
	filter := views.Filter{Kind: q.Get("kind"), Resource: q.Get("resource"), Namespace: q.Get("namespace"), Text: q.Get("text")}
	s.write(w, r, http.StatusOK, views.Policies(l, views.NewPoliciesPage(s.current().Catalog, filter)))
	return nil
}

func (s *server) policy(w http.ResponseWriter, r *http.Request) error {
	g, err := group(r, s.current().Catalog)
	if err != nil {
		return err
	}
	if g.Phase == scope.FlowControl {
		s.write(w, r, http.StatusOK, views.Policy(s.layout(r, g.Name, "/flow"), views.NewPolicyPage(s.current().Catalog, g)))
		return nil
	}
	l := s.layout(r, g.Name, "/policies")
	src, c, err := s.reach(r)
	if err != nil {
		return err
	}
	if g, err = group(r, c.Catalog); err != nil {
		return err
	}
	if f := format(r); f != "" {
		return exportFunnels(w, g, src, f)
	}
	page, edition := s.policyPage(r, g, c, src)
	l.Findings = edition
	s.write(w, r, http.StatusOK, views.Policy(l, page))
	return nil
}

// policyEntry leads to the place of one entry on the page of its object.
func (s *server) policyEntry(w http.ResponseWriter, r *http.Request) error {
	g, err := group(r, s.current().Catalog)
	if err != nil {
		return err
	}
	entry := param(r, "entry")
	e := g.EntryNamed(entry)
	if e == nil {
		return missing(g.Kind + " " + g.Name + " has no entry called " + entry + ".")
	}
	http.Redirect(w, r, e.Href, http.StatusFound)
	return nil
}

// group finds the object that an address names.
func group(r *http.Request, c *views.Catalog) (*views.Group, error) {
	kind, name := param(r, "kind"), param(r, "name")
	g := c.Group(kind, name)
	if g == nil {
		return nil, missing("There is no " + kind + " called " + name + " here. It may have been deleted since the link was made.")
	}
	return g, nil
}

// param returns a part of the path as it was before it was escaped.
func param(r *http.Request, name string) string {
	value := chi.URLParam(r, name)
	if unescaped, err := url.PathUnescape(value); err == nil {
		return unescaped
	}
	return value
}

func (s *server) about(w http.ResponseWriter, r *http.Request) error {
	about := s.current().About
	counts := make([]views.Counted, 0, len(about.Counts))
	for _, c := range about.Counts {
		counts = append(counts, views.Counted{Name: c.Name, Count: c.Count})
	}
	problems := make([]string, 0, len(about.Problems))
	for _, p := range about.Problems {
		problems = append(problems, p.String())
	}
	page := views.NewAboutPage(fresh(about), counts, about.Gaps, problems, s.Version)
	s.write(w, r, http.StatusOK, views.About(s.layout(r, "About this view", "/about"), page))
	return nil
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// ready says no until everything has been read once: verdicts on half the policies of a
// cluster mislead whoever was sent here by a load balancer.
func (s *server) ready(w http.ResponseWriter, r *http.Request) error {
	if len(s.Source.Snapshot().About.Syncing) > 0 {
		return &Error{Status: http.StatusServiceUnavailable, Message: "The cluster is still being read for the first time."}
	}
	healthy(w, r)
	return nil
}

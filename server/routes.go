package server

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/ambit-k8s/ambit/static"
)

// routes lists every address of the explorer.
func (s *server) routes() http.Handler {
	r := chi.NewRouter()
	r.Use(secureHeaders, s.recoverer, s.checkHost, s.checkOrigin, middleware.GetHead)

	r.Get("/healthz", healthy)
	r.Get("/readyz", s.handle(s.ready))
	r.Get("/explore/socket", s.handle(s.socket))
	r.Get("/live", s.handle(s.live))
	r.Handle(static.Prefix+"*", static.Handler())

	r.Group(func(r chi.Router) {
		r.Use(middleware.Compress(5), middleware.NoCache)
		r.Get("/", s.handle(s.policies))
		r.Get("/policies", s.handle(s.policies))
		r.Get("/policies/{kind}/{name}", s.handle(s.policy))
		r.Get("/policies/{kind}/{name}/{entry}", s.handle(s.policyEntry))
		r.Get("/policies/{kind}/{name}/{entry}/objects", s.handle(s.fallen))
		r.Get("/coverage", s.handle(s.coverage))
		r.Get("/coverage/cell", s.handle(s.coverageCell))
		r.Get("/coverage/unreached", s.handle(s.coverageUnreached))
		r.Get("/coverage/namespaces/{name}", s.handle(s.coverageNamespace))
		r.Get("/coverage/objects/{resource}/{namespace}/{name}", s.handle(s.coverageObject))
		r.Get("/groups", s.handle(s.groups))
		r.Get("/flow", s.handle(s.flowPage))
		r.Get("/kyverno", s.handle(s.kyverno))
		r.Get("/explore", s.handle(s.explore))
		r.Post("/explore", s.handle(s.explorePosted))
		r.Get("/about", s.handle(s.about))

		r.Get("/api/v1/policies", s.handle(s.apiPolicies))
		r.Get("/api/v1/flow", s.handle(s.apiFlow))
		r.Get("/api/v1/coverage", s.handle(s.apiCoverage))
		r.Get("/api/v1/kyverno", s.handle(s.apiKyverno))
		r.Get("/api/v1/webhooks", s.handle(s.apiWebhooks))
		r.Get("/api/v1/lint", s.handle(s.apiLint))
		r.Post("/api/v1/explain", s.handle(s.apiExplain))

		r.NotFound(s.handle(notFound))
		r.MethodNotAllowed(s.handle(methodNotAllowed))
	})
	return r
}

package server

import (
	"context"
	"net/http"
	"slices"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	admissionv1 "k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/views"
)

// reasonsTime is how long a page looks for the reasons in its funnels. The numbers are
// there without them.
const reasonsTime = time.Second

// funnelOperations are the writes that can be asked about.
var funnelOperations = []string{"", "CREATE", "UPDATE", "DELETE"}

// funnelAsk reads what is asked about every object from an address.
func funnelAsk(r *http.Request) (views.Asked, coverage.Ask, error) {
	query := r.URL.Query()
	asked := views.Asked{Operation: query.Get("operation"), As: query.Get("as")}
	for _, value := range query["as-group"] {
		asked.Groups = append(asked.Groups, words(value)...)
	}
	if !slices.Contains(funnelOperations, asked.Operation) {
		return asked, coverage.Ask{}, badRequest("An object that exists can be asked about as CREATE, UPDATE or DELETE. The address says something else.")
	}
	ask := coverage.Ask{Operation: admissionv1.Operation(asked.Operation)}
	if asked.As != "" || len(asked.Groups) > 0 {
		ask.User, ask.Open = request.Complete(&authenticationv1.UserInfo{Username: asked.As, Groups: asked.Groups})
	}
	return asked, ask, nil
}

// reach evaluates all policies over the population, as far as there is time.
func (s *server) reach(r *http.Request) (views.FunnelSource, *covered, error) {
	asked, ask, err := funnelAsk(r)
	if err != nil {
		return views.FunnelSource{}, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	c, err := s.covered(ctx, ask)
	if _, slow := tooSlow(err); slow {
		return views.FunnelSource{}, nil, &Error{Status: http.StatusServiceUnavailable, Message: "To ask every policy about every object takes longer than Ambit waits. Load the page again in a moment."}
	} else if err != nil {
		return views.FunnelSource{}, nil, err
	}
	return views.FunnelSource{Result: c.result, Gaps: resourceGaps(c.Population), Asked: asked}, c, nil
}

// policyPage shows a group of policies with what they reach and what is wrong with them, in
// which edition of the findings.
func (s *server) policyPage(r *http.Request, g *views.Group, c *covered, src views.FunnelSource) (page views.PolicyPage, edition string) {
	page = views.NewPolicyPage(c.Catalog, g)
	ctx, cancel := context.WithTimeout(r.Context(), reasonsTime)
	defer cancel()
	page.Asked = views.NewFunnelAsk(src.Asked, src.Result)
	page.Reaches(g, func(e *views.Entry) *views.Funnel { return views.NewFunnel(ctx, e, src) })
	found, edition := s.findings(r.Context())
	page.Find(found)
	return page, edition
}

// resourceGaps are the resources whose objects are not all known.
func resourceGaps(p cluster.Population) []views.ResourceGap {
	var gaps []views.ResourceGap
	for _, r := range p.Resources {
		if r.State != cluster.Read || r.Why != "" {
			gaps = append(gaps, views.ResourceGap{
				GroupVersionResource: r.GroupVersionResource, Objects: r.Objects, Why: r.Why,
				Reading: r.State == cluster.Reading, LeftOut: r.State == cluster.LeftOut, Partly: r.State == cluster.Read,
			})
		}
	}
	return gaps
}

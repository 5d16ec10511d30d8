package compare

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
)

// judge asks Ambit about a request, in both modes, and compares.
func (c *comparison) judge(ctx context.Context, snapshot *cluster.Snapshot, e *exchange, random *rand.Rand) error {
	c.report.Requests++
	paste := random.IntN(3) == 0
	source := e.source()
	if source.Before == nil && !source.Answer.OK() {
		c.report.NotReached[e.request.Title+": "+strconv.Itoa(source.Answer.Code)+" "+general(source.Answer.Message(), e.request)]++
		return nil
	}
	c.report.Reached++
	way, resource := e.request.Way()
	c.report.Ways[way]++
	c.report.Resources[resource]++
	for _, text := range unexpected(e.request, source) {
		c.report.Unexpected[e.request.Title+": "+text]++
	}
	reviews, err := wholeReviews(e.request, source)
	if err != nil {
		return err
	}
	said, err := askWhole(ctx, snapshot, reviews)
	if err != nil {
		return err
	}
	c.count(ctx, e, Whole, said)
	if !paste || e.request.Pasted == nil {
		return nil
	}
	said, problem, err := askPasted(ctx, snapshot, e.request)
	if problem != "" {
		c.report.NotDerived[e.request.Title+": "+general(problem, e.request)]++
		return nil
	}
	if err == nil {
		c.count(ctx, e, Pasted, said)
	}
	return err
}

// source is the observation that tells how the request was asked: the rehearsal, where there was one.
func (e *exchange) source() *oracle.Observation {
	if e.rehearsal != nil {
		return e.rehearsal
	}
	return e.seen
}

func (c *comparison) count(ctx context.Context, e *exchange, mode Mode, said answers) {
	judgement{mode, e.request, e.view(), said, e.hidden}.count(ctx, c.report, func(d *Disagreement) {
		d.lane = e.lane
		if sort := d.sort(); c.sorts[sort] == 0 && c.sorts[string(mode)] < maxDisagreements {
			c.sorts[sort]++
			c.sorts[string(mode)]++
			c.report.Disagreements = append(c.report.Disagreements, d)
		}
	})
}

// maxDisagreements bounds how many are reproduced in each mode.
const maxDisagreements = 12

func (e *exchange) view() view {
	return view{e.seen, refuses(e.lane), e.policies}
}

// hidden says of which policies the observation must not be compared with the review: where there was a rehearsal and
// the name is generated, the two have different names.
func (e *exchange) hidden(t *scope.Trace) bool {
	validating := stageOf(t) == oracle.ValidatingPolicies || stageOf(t) == oracle.ValidatingWebhooks
	return e.rehearsal != nil && validating && strings.HasPrefix(e.request.Title, "generate ")
}

// general takes the names out of a text, so that equal texts can be counted.
func general(text string, r *generate.Request) string {
	if r.Name != "" {
		text = strings.ReplaceAll(text, r.Name, "NAME")
	}
	if r.Namespace != "" {
		text = strings.ReplaceAll(text, r.Namespace, "NAMESPACE")
	}
	if len(text) > 200 {
		text = text[:200]
	}
	return text
}

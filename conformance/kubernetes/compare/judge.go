package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/generate"
	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare/oracle"
	"github.com/ambit-k8s/ambit/scope"
)

// judgement compares what Ambit says about one request with one observation.
type judgement struct {
	mode    Mode
	request *generate.Request
	seen    view
	said    answers
	// hidden says that Ambit may not be judged by what it says about a policy.
	hidden func(*scope.Trace) bool
}

// each calls a function with every verdict on a policy that was installed.
func (j judgement) each(ctx context.Context, report func(t *scope.Trace, s sight)) {
	for _, id := range policyIDs(j.seen.policies) {
		t := j.said[id]
		if t == nil {
			continue
		}
		s := j.seen.of(t)
		if stageOf(t) == oracle.MutatingPolicies && s != refused && s != included && !j.markable() || j.hidden != nil && j.hidden(t) {
			s = unseen
		}
		if s == included && t.Outcome == scope.Included && !j.seen.sameKind(ctx, t) {
			s = otherKind
		}
		report(t, s)
	}
}

// markable reports whether the request's object could carry the mark of a mutating policy. These never see a DELETE,
// which is a verdict like any other. To the Scale of a custom resource the API server cannot apply any mutation.
func (j judgement) markable() bool {
	if j.request.Subresource == "scale" && j.request.Resource.Group == "example.com" {
		return false
	}
	return j.request.Operation == admission.Delete || j.seen.markable()
}

// unnamed reports whether the request was refused in nobody's name, because its namespace does not exist.
func (j judgement) unnamed() bool {
	return !j.seen.Answer.OK() && j.seen.RefusedAt == "" && j.seen.After == nil &&
		strings.Contains(j.seen.Answer.Message(), `namespaces "`) && strings.Contains(j.seen.Answer.Message(), "not found")
}

// count adds the verdicts to the report.
func (j judgement) count(ctx context.Context, r *Report, found func(*Disagreement)) {
	tally := r.Tallies[j.mode]
	if j.unnamed() {
		// It is a verdict on all policies together that one of them refuses.
		switch rejects := j.said.rejects(); {
		case rejects:
			tally.Agreed++
			tally.Outcomes[refused]++
		case !slices.ContainsFunc(j.all(), func(t *scope.Trace) bool { return t.Outcome == scope.Unknown }):
			tally.Disagreed++
			found(&Disagreement{mode: j.mode, request: j.request, seen: refused, message: j.seen.Answer.Message()})
		}
	}
	j.each(ctx, func(t *scope.Trace, s sight) {
		switch {
		case s == unseen:
			tally.Unseen++
		case t.Outcome == scope.Unknown:
			tally.Unknown++
			tally.Reasons[reason(t)]++
		case s.agrees(t):
			tally.Agreed++
			tally.Outcomes[s]++
		default:
			tally.Disagreed++
			found(j.disagreement(ctx, t, s))
		}
	})
}

func (j judgement) all() []*scope.Trace {
	var all []*scope.Trace
	for _, id := range policyIDs(j.seen.policies) {
		if t := j.said[id]; t != nil {
			all = append(all, t)
		}
	}
	return all
}

func (j judgement) disagreement(ctx context.Context, t *scope.Trace, s sight) *Disagreement {
	d := &Disagreement{mode: j.mode, request: j.request, seen: s, message: j.seen.Answer.Message(), policies: j.seen.policies.Single(t.Policy.Kind, t.Policy.Name, t.Policy.Entry)}
	if j.seen.Answer.OK() {
		d.message = "accepted"
	}
	d.note(ctx, t)
	return d
}

// reason is the missing fact of an unknown verdict, without what is particular to one request.
func reason(t *scope.Trace) string {
	var facts []string
	for _, m := range t.Missing() {
		facts = append(facts, m.Path+": "+m.Fact)
	}
	return fmt.Sprintf("%s (%s)", strings.Join(facts, "; "), t.DecidedBy)
}

package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/flow"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/views"
)

const (
	// maxText is the size of the largest text that is read.
	maxText = 1 << 20
	// maxTime is how long one evaluation may take. The cost limits of CEL end nearly all of
	// them in milliseconds.
	maxTime = 10 * time.Second
	// oldSource names the text of the old object in problems.
	oldSource = "the old object"
)

// answer is what became of a question. Without Derived there is no request to be had from
// it, and Problems say why.
type answer struct {
	facts    *described
	derived  *request.Derived
	traces   []*scope.Trace
	problems []manifest.Problem
}

// answer asks every policy about the request that a question describes. The error is for
// what is nobody's fault: a question that was overtaken, or that takes too long.
func (s *server) answer(ctx context.Context, q question) (*answer, error) {
	a := &answer{facts: s.current()}
	if err := s.turn(ctx); err != nil {
		return nil, err
	}
	defer s.done()
	said, problems := q.Ask.request()
	derived, more := request.FromText("", []byte(q.Text), maxText, said, a.facts.Facts)
	a.derived, a.problems = derived, append(more, problems...)
	if a.derived == nil {
		return a, nil
	}
	var err error
	a.traces, err = a.facts.Policies.Explain(ctx, a.derived.Request, a.facts.Facts)
	return a, err
}

// turn waits until an evaluation may run.
func (s *server) turn(ctx context.Context) error {
	select {
	case s.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *server) done() { <-s.turns }

// request is what a person said, as the derivation takes it.
func (a ask) request() (request.Ask, []manifest.Problem) {
	said := request.Ask{
		Document: a.Document, Operation: a.Operation, Subresource: a.Subresource, Namespace: a.Namespace, Name: a.Name,
		Collection: a.Collection, Verb: a.Verb, Resource: a.Resource, AllNamespaces: a.AllNamespaces, Path: a.Path,
	}
	if a.User != "" || len(a.Groups) > 0 {
		said.User = &authenticationv1.UserInfo{Username: a.User, Groups: a.Groups}
	}
	if a.DryRun {
		said.DryRun = &a.DryRun
	}
	if strings.TrimSpace(a.OldObject) == "" {
		return said, nil
	}
	documents, problems := manifest.Read(oldSource, []byte(a.OldObject), maxText)
	if len(documents) > 0 {
		said.OldObject = &documents[0]
	}
	return said, problems
}

// fields are what a person said by the name of the field, for the page to show.
func (a ask) fields() map[string]string {
	fields := map[string]string{
		"operation": a.Operation, "subresource": a.Subresource, "namespace": a.Namespace, "name": a.Name,
		"user": a.User, "groups": strings.Join(a.Groups, ", "), "oldObject": a.OldObject,
		"verb": a.Verb, "resource": a.Resource, "path": a.Path,
	}
	for name, on := range map[string]bool{"dryRun": a.DryRun, "collection": a.Collection, "allNamespaces": a.AllNamespaces} {
		if on {
			fields[name] = "true"
		}
	}
	for name, value := range fields {
		if value == "" {
			delete(fields, name)
		}
	}
	return fields
}

// ask shows how the request was derived, or what was said of one that could not be.
func (a *answer) ask(q question) views.Ask {
	if a.derived == nil {
		return views.NewBrokenAsk(q.Text, q.Ask.fields())
	}
	return views.NewAsk(a.derived, a.facts.Facts.Resources, q.Ask.fields())
}

// result puts the answer into words.
func (a *answer) result(ctx context.Context, policy string) views.Result {
	if a.derived == nil {
		return views.Result{}
	}
	lines := views.LinesOf(a.derived)
	r := views.NewResult(ctx, a.facts.Catalog, a.traces, lines, policy)
	if a.derived.Request.Reaches(scope.FlowControl) {
		r.AddFlowControl(ctx, views.FlowControl{
			Catalog: a.facts.Catalog, Order: flow.OrderOf(a.facts.Policies.Policies()), Input: scope.NewInput(a.derived.Request, a.facts.Facts, scope.FlowControl),
			Traces: a.traces, Lines: lines, Focus: policy, Gap: flowGap(a.facts.About),
		})
	}
	if sentence := scope.RefusedFirst(a.derived.Request, a.facts.Facts); sentence != "" {
		r.Notes = append(r.Notes, sentence)
	}
	return r
}

// flowGap says why it is not known which FlowSchemas there are.
func flowGap(a cluster.About) string {
	for _, gap := range a.Gaps {
		if strings.Contains(gap, "FlowSchemas") {
			return gap
		}
	}
	if len(a.Syncing) > 0 {
		return "The FlowSchemas are still being read; which of them a request falls in is not known yet."
	}
	return "Which FlowSchemas there are is not known."
}

// places are the problems with their places in the pasted text. A problem of the old
// object says itself where it stands.
func (a *answer) places() []problem {
	places := make([]problem, 0, len(a.problems))
	for _, p := range a.problems {
		places = append(places, problem{Line: textLine(p), Column: textColumn(p), Message: problemText(p)})
	}
	return places
}

func textLine(p manifest.Problem) int {
	if p.Source == oldSource {
		return 0
	}
	return p.Line
}

func textColumn(p manifest.Problem) int {
	if p.Source == oldSource {
		return 0
	}
	return p.Column
}

// problemText is the problem without the place, which is shown beside it.
func problemText(p manifest.Problem) string {
	text := p.Message
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	if p.Source == oldSource {
		return fmt.Sprintf("In the old object, line %d: %s.", p.Line, text)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// tooSlow is what a person is told when an evaluation was given up.
func tooSlow(err error) (message string, slow bool) {
	return "This takes longer than Ambit waits. Paste fewer objects, or a smaller one.", errors.Is(err, context.DeadlineExceeded)
}

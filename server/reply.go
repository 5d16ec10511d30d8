package server

import (
	"context"
	"runtime/debug"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/ambit-k8s/ambit/views"
)

// reply answers a question of the live page. The reply to a question that was overtaken
// is empty and will not be sent.
func (s *server) reply(ctx context.Context, q question) (r reply) {
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			// The stack names code and no data: nothing pasted gets into the log.
			s.Logger.Error("panic in an evaluation", "stack", string(debug.Stack()))
			r = broken(q.Seq, "Something in Ambit went wrong with this. The log says what.")
		}
		r.Micros = time.Since(began).Microseconds()
	}()
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	a, err := s.answer(ctx, q)
	if err != nil {
		if message, slow := tooSlow(err); slow {
			return broken(q.Seq, message)
		}
		return reply{Seq: q.Seq, State: stateBroken}
	}
	if a.derived == nil {
		return reply{Seq: q.Seq, State: stateBroken, Problems: a.places()}
	}
	result := a.result(ctx, q.Policy)
	r = reply{Seq: q.Seq, State: stateAnswer, Problems: a.places(), HTML: map[string]string{
		"result": s.html(ctx, views.ResultSection(result)),
		"ask":    s.html(ctx, views.AskForm(a.ask(q))),
	}}
	for _, m := range result.Marks {
		r.Marks = append(r.Marks, mark(m))
	}
	return r
}

// news turns the answer to a question that was asked before into news of the cluster. A
// text that cannot be read has nothing to bring up to date but the age of the facts.
func (s *server) news(ctx context.Context, r reply) reply {
	if r.State == stateBroken {
		r = reply{Seq: r.Seq, HTML: map[string]string{}, Micros: r.Micros}
	}
	r.State, r.HTML["fresh"] = stateFacts, s.freshHTML(ctx)
	return r
}

func broken(seq int64, message string) reply {
	return reply{Seq: seq, State: stateBroken, Problems: []problem{{Message: message}}}
}

func (s *server) freshHTML(ctx context.Context) string {
	return s.html(ctx, views.FreshMark(fresh(s.Source.Snapshot().About)))
}

// html renders a fragment. Writing to memory does not fail, so an error is a cancelled
// context, and then nobody reads the result.
func (s *server) html(ctx context.Context, c templ.Component) string {
	var b strings.Builder
	if err := c.Render(ctx, &b); err != nil && ctx.Err() == nil {
		s.Logger.Error("fragment not rendered", "error", err)
	}
	return b.String()
}

package server

import "context"

// evaluate answers one question at a time until the session ends, and answers the last
// one again when the cluster changes.
func (s *session) evaluate(ctx context.Context) {
	changes, stop := s.server.Source.Subscribe()
	defer stop()
	var last *question
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.asked:
		case <-changes:
		}
		s.once(ctx, &last)
	}
}

// once answers the newest question, or the last one again if there is no newer.
func (s *session) once(parent context.Context, last **question) {
	ctx, q, end := s.begin(parent)
	defer end()
	state := stateAnswer
	if q == nil {
		if q, state = *last, stateFacts; q == nil {
			s.answer(ctx, reply{State: stateFacts, HTML: map[string]string{"fresh": s.server.freshHTML(ctx)}})
			return
		}
	}
	*last = q
	r := s.server.reply(ctx, *q)
	if state == stateFacts {
		r = s.server.news(ctx, r)
	}
	s.answer(ctx, r)
}

package server

import (
	"context"
	"sync"
)

// exchange is where the goroutines of a session meet. It holds at most one question that
// waits and one reply that waits: only the newest of each matters, so nobody is ever
// waited for and nothing piles up.
type exchange struct {
	// asked and answered get a value when there is something to begin or to send.
	asked, answered chan struct{}

	mu       sync.Mutex
	question *question
	reply    *reply
	cancel   context.CancelFunc
}

func newExchange() *exchange {
	return &exchange{asked: make(chan struct{}, 1), answered: make(chan struct{}, 1)}
}

// ask puts a question in the place of the one that waits. What is known about older
// questions is worthless from now on: the running evaluation is cancelled and a reply
// that was not sent is dropped.
func (x *exchange) ask(q question) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.question, x.reply = &q, nil
	if x.cancel != nil {
		x.cancel()
	}
	nudge(x.asked)
}

// begin takes the question that waits, or nil if there is none, and returns the context
// in which to evaluate: a newer question ends it. End must be called afterwards.
func (x *exchange) begin(parent context.Context) (ctx context.Context, q *question, end func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	q, x.question = x.question, nil
	ctx, cancel := context.WithCancel(parent)
	x.cancel = cancel
	return ctx, q, cancel
}

// answer leaves a reply to be sent, unless its context has ended: then it is stale.
func (x *exchange) answer(ctx context.Context, r reply) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	r = r.after(x.reply)
	x.reply = &r
	nudge(x.answered)
}

// next takes the reply that waits, or nil.
func (x *exchange) next() *reply {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.reply
	x.reply = nil
	return r
}

func nudge(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

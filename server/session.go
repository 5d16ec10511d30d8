package server

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// session is one open explore page: a goroutine that reads questions, one that evaluates
// them one at a time, and one that writes replies.
type session struct {
	*exchange
	server *server
	conn   *websocket.Conn
	pulse  pulse
}

// pulse is how a session notices that nobody is there any more.
type pulse struct {
	// ping is the time between two pings, silence the time after which a session without
	// any sign of life ends, write the time that one message may take to be sent.
	ping, silence, write time.Duration
}

var normalPulse = pulse{ping: 25 * time.Second, silence: time.Minute, write: 10 * time.Second}

// maxMessage is the size of the largest message that is read: a text and an old object of
// the largest size, as JSON, which may double what it escapes.
const maxMessage = 4*maxText + 64<<10

var upgrader = websocket.Upgrader{
	HandshakeTimeout: 10 * time.Second,
	ReadBufferSize:   16 << 10,
	WriteBufferSize:  16 << 10,
	CheckOrigin:      sameOrigin,
	// The upgrader has written nothing yet when it fails; the error is rendered like any other.
	Error: func(http.ResponseWriter, *http.Request, int, error) {},
}

// socket serves one session until its page is closed or the server stops.
func (s *server) socket(w http.ResponseWriter, r *http.Request) error {
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return badRequest("This address speaks the websocket protocol only.")
	}
	ctx, cancel := untilStop(r.Context())
	defer cancel()
	(&session{exchange: newExchange(), server: s, conn: conn, pulse: normalPulse}).run(ctx)
	return nil
}

// run returns when all goroutines of the session have ended. The first one that ends ends
// the others.
func (s *session) run(parent context.Context) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	var all sync.WaitGroup
	for _, part := range []func(context.Context){s.read, s.evaluate, s.write} {
		all.Go(func() {
			defer cancel()
			part(ctx)
		})
	}
	// The writer closes the connection as it leaves, which is what ends a read that waits.
	all.Wait()
}

package server

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/ambit-k8s/ambit/cluster"
)

// newer is what an open page is told: the numbers of the newest snapshot and of the newest
// findings, and the sentence of its header about how old the facts are.
type newer struct {
	Snapshot string `json:"snapshot"`
	Findings string `json:"findings"`
	Fresh    string `json:"fresh"`
}

// liveEvery is how often a page is told about changes at most. A cluster that fills up
// changes all the time, and each change costs every open page a new rendering.
const liveEvery = 500 * time.Millisecond

// numbers give each snapshot that was seen a number, so that a page can tell whether it
// was rendered from the newest one.
type numbers struct {
	mu   sync.Mutex
	last *cluster.Snapshot
	n    int
	// start tells the numbers of one run of the program from those of another.
	start int64
}

// newest returns the number of the newest snapshot of a source.
func (n *numbers) newest(source cluster.Source) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.start == 0 {
		n.start = time.Now().UnixNano()
	}
	if now := source.Snapshot(); n.last != now {
		n.last = now
		n.n++
	}
	return strconv.FormatInt(n.start, 36) + "-" + strconv.Itoa(n.n)
}

// watcher is one open page that was rendered on load.
type watcher struct {
	server *server
	conn   *websocket.Conn
	pulse  pulse
}

// live tells a page that was rendered on load which snapshot and which findings are the
// newest: once at the beginning, because the cluster may have changed since the page was
// rendered, and after every change.
func (s *server) live(w http.ResponseWriter, r *http.Request) error {
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return badRequest("This address speaks the websocket protocol only.")
	}
	ctx, cancel := untilStop(r.Context())
	defer cancel()
	defer func() { _ = conn.Close() }()
	page := watcher{s, conn, normalPulse}
	go func() {
		defer cancel()
		page.listen()
	}()
	page.tell(ctx)
	return nil
}

// tell tells the page about every change until somebody leaves.
func (p watcher) tell(ctx context.Context) {
	changes, stop := p.server.Source.Subscribe()
	defer stop()
	ping := time.NewTicker(p.pulse.ping)
	defer ping.Stop()
	for {
		findings, found := p.server.finder.news()
		_ = p.conn.SetWriteDeadline(p.deadline())
		if p.conn.WriteJSON(newer{p.server.numbers.newest(p.server.Source), findings, p.server.freshHTML(ctx)}) != nil {
			return
		}
		rest := time.NewTimer(liveEvery)
		for changed := false; !changed; {
			select {
			case <-ctx.Done():
				_ = p.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, ""), p.deadline())
				return
			case <-ping.C:
				if p.conn.WriteControl(websocket.PingMessage, nil, p.deadline()) != nil {
					return
				}
			case <-changes:
				changed = true
			case <-found:
				changed = true
			}
		}
		select {
		case <-ctx.Done():
		case <-rest.C:
		}
	}
}

// listen reads until the other side is gone. A page says nothing; what it answers to pings
// keeps the connection open.
func (p watcher) listen() {
	extend := func(string) error { return p.conn.SetReadDeadline(time.Now().Add(p.pulse.silence)) }
	p.conn.SetReadLimit(1 << 10)
	p.conn.SetPongHandler(extend)
	_ = extend("")
	for {
		if _, _, err := p.conn.ReadMessage(); err != nil {
			return
		}
	}
}

func (p watcher) deadline() time.Time { return time.Now().Add(p.pulse.write) }

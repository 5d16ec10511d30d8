package server

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

func TestSessionAnswers(t *testing.T) {
	c := dial(t, sampleServer(t))
	c.ask(7, podThatOptsOut)
	r := c.reply()
	if r.Seq != 7 || r.State != stateAnswer || r.Micros <= 0 {
		t.Errorf("got %d %s after %d µs", r.Seq, r.State, r.Micros)
	}
	if n := parse(t, r.HTML["result"]).Find("section#result .phase .row").Length(); n == 0 {
		t.Error("the result has no rows")
	}
	if n := parse(t, r.HTML["ask"]).Find("div#ask [name=operation]").Length(); n != 1 {
		t.Error("the request builder has no operation")
	}
	if want := (mark{7, "deciding", "keeps image-verifier out"}); !slices.Contains(r.Marks, want) {
		t.Errorf("the marks are %+v", r.Marks)
	}
	if _, fresh := r.HTML["fresh"]; fresh {
		t.Error("an answer says nothing about the age of the facts")
	}
}

func TestSessionTellsWhatIsBroken(t *testing.T) {
	c := dial(t, sampleServer(t))
	c.ask(1, "kind: Pod\nmetadata: [\n")
	if r := c.reply(); r.Seq != 1 || r.State != stateBroken || len(r.Problems) == 0 || r.Problems[0].Line == 0 || r.HTML != nil {
		t.Errorf("got %+v", r)
	}
	c.ask(2, podThatOptsOut)
	if r := c.reply(); r.Seq != 2 || r.State != stateAnswer {
		t.Errorf("after it was mended: %d %s", r.Seq, r.State)
	}
}

func TestSessionReadsOneMebibyte(t *testing.T) {
	c := dial(t, sampleServer(t))
	c.ask(1, podThatOptsOut+strings.Repeat("#\n", (maxText-len(podThatOptsOut))/2))
	if r := c.reply(); r.State != stateAnswer {
		t.Errorf("a mebibyte: %s %+v", r.State, r.Problems)
	}
	c.ask(2, podThatOptsOut+strings.Repeat("#\n", maxText/2))
	if r := c.reply(); r.State != stateBroken || !strings.Contains(r.Problems[0].Message, "1.0 MiB") {
		t.Errorf("more than that: %s %+v", r.State, r.Problems)
	}
	c.ask(3, strings.Repeat("#", maxMessage))
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, _, err := c.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
		t.Errorf("far more than that: %v", err)
	}
}

func TestSessionCancelsWhatWasOvertaken(t *testing.T) {
	g := newGate()
	source := newChanging(g)
	c := dial(t, serve(t, source))
	g.closed.Store(true)
	c.ask(1, podThatOptsOut)
	<-g.entered
	c.ask(2, podThatOptsOut)
	<-g.entered
	g.closed.Store(false)
	c.ask(3, podThatOptsOut)
	if r := c.reply(); r.Seq != 3 {
		t.Errorf("the first reply is to question %d", r.Seq)
	}
	if n := g.cancelled.Load(); n != 2 {
		t.Errorf("%d evaluations were cancelled, want 2", n)
	}
}

func TestSessionEvaluatesAgainWhenTheClusterChanges(t *testing.T) {
	source := newChanging(newGate())
	c := dial(t, serve(t, source))
	c.ask(4, podThatOptsOut)
	if r := c.reply(); !strings.Contains(r.HTML["result"], "1 of 1 policy") {
		t.Errorf("before: %.300s", r.HTML["result"])
	}
	source.set(snapshotOf(newGate(), newGate()))
	r := c.reply()
	if r.Seq != 4 || r.State != stateFacts || !strings.Contains(r.HTML["result"], "2 of 2 policies") || !strings.Contains(r.HTML["fresh"], "id=\"fresh\"") {
		t.Errorf("after: %d %s %.300s", r.Seq, r.State, r.HTML["result"])
	}
	c.ask(5, "kind: [")
	if r := c.reply(); r.State != stateBroken {
		t.Errorf("broken: %s", r.State)
	}
	source.set(snapshotOf())
	if r := c.reply(); r.Seq != 5 || r.State != stateFacts || r.HTML["result"] != "" || r.HTML["fresh"] == "" {
		t.Errorf("news about a broken text: %+v", r)
	}
}

func TestSessionHearsOfChangesBeforeTheFirstQuestion(t *testing.T) {
	source := newChanging()
	c := dial(t, serve(t, source))
	wait(t, func() bool { return source.subscribers() == 1 })
	source.set(snapshotOf(newGate()))
	if r := c.reply(); r.Seq != 0 || r.State != stateFacts || r.HTML["fresh"] == "" {
		t.Errorf("got %+v", r)
	}
}

// TestSessionDoesNotWaitForASlowReader floods a session whose page reads nothing: the
// questions must still be taken, and the page then gets the newest answer.
func TestSessionDoesNotWaitForASlowReader(t *testing.T) {
	c := dial(t, sampleServer(t))
	const questions = 400
	for seq := int64(1); seq <= questions; seq++ {
		c.ask(seq, podThatOptsOut)
	}
	replies := 0
	var last int64
	for last < questions {
		r := c.reply()
		if r.Seq <= last {
			t.Fatalf("reply %d after %d", r.Seq, last)
		}
		last = r.Seq
		replies++
	}
	if replies == questions {
		t.Error("every question was answered; none was overtaken")
	}
}

func TestSessionRefusesOtherSites(t *testing.T) {
	s := sampleServer(t)
	_, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.URL, "http")+"/explore/socket", http.Header{"Origin": {"http://evil.example.com"}})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Fatalf("got %v", err)
	}
	_ = response.Body.Close()
}

func TestSessionRefusesWhatIsNoQuestion(t *testing.T) {
	c := dial(t, sampleServer(t))
	if err := c.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, _, err := c.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseUnsupportedData) {
		t.Errorf("got %v", err)
	}
}

// TestSessionsEnd holds that nothing of a session is left, whichever side ends it and
// whatever it is doing.
func TestSessionsEnd(t *testing.T) {
	g := newGate()
	source := newChanging(g)
	ctx, stop := context.WithCancel(t.Context())
	listener, err := Listen(ctx, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, listener, New(Config{Source: source})) }()
	s := &httptest.Server{URL: "http://" + listener.Addr().String()}

	idle, busy, closing := dial(t, s), dial(t, s), dial(t, s)
	idle.ask(1, podThatOptsOut)
	idle.reply()
	closing.ask(1, podThatOptsOut)
	closing.reply()
	wait(t, func() bool { return source.subscribers() == 3 })
	_ = closing.Close()
	wait(t, func() bool { return source.subscribers() == 2 })
	g.closed.Store(true)
	busy.ask(1, podThatOptsOut)
	<-g.entered

	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	_ = idle.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, _, err := idle.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the page was told %v", err)
	}
	wait(t, func() bool { return source.subscribers() == 0 && !running("server.(*session)") })
}

// TestSessionNoticesSilence ends a session whose page is gone without a word.
func TestSessionNoticesSilence(t *testing.T) {
	source := newChanging()
	srv := &server{Config: Config{Source: source, Logger: textLogger(&bytes.Buffer{})}, turns: make(chan struct{}, 1)}
	ended := make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		(&session{exchange: newExchange(), server: srv, conn: conn, pulse: pulse{ping: 10 * time.Millisecond, silence: 100 * time.Millisecond, write: time.Second}}).run(r.Context())
		close(ended)
	}))
	defer h.Close()
	dial(t, h) // It never reads, so it never answers a ping.
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the session goes on")
	}
}

package server

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// gate is a layer that, while it is closed, takes as long as it is let.
type gate struct {
	closed    atomic.Bool
	entered   chan struct{}
	cancelled atomic.Int32
}

func newGate() *gate { return &gate{entered: make(chan struct{}, 100)} }

func (g *gate) Name() scope.LayerName { return scope.MatchConditions }

func (g *gate) Decide(ctx context.Context, _ scope.Question) scope.Step {
	if g.closed.Load() {
		g.entered <- struct{}{}
		<-ctx.Done()
		g.cancelled.Add(1)
	}
	return scope.Step{Outcome: scope.Match, Stage: scope.StageConditions}
}

func (g *gate) Explain(context.Context, scope.Question, scope.Step) []scope.Reason { return nil }

// changing is a source whose snapshot a test replaces.
type changing struct {
	mu       sync.Mutex
	snapshot *cluster.Snapshot
	changes  map[chan struct{}]bool
}

func (c *changing) Snapshot() *cluster.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.snapshot
}

func (c *changing) Subscribe() (<-chan struct{}, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	changes := make(chan struct{}, 1)
	c.changes[changes] = true
	return changes, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.changes, changes)
	}
}

func (c *changing) set(s *cluster.Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snapshot = s
	for changes := range c.changes {
		nudge(changes)
	}
}

func (c *changing) subscribers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.changes)
}

// snapshotOf is a cluster with policies of one layer each.
func snapshotOf(layers ...scope.Layer) *cluster.Snapshot {
	var policies []*scope.Policy
	for i, l := range layers {
		policies = append(policies, &scope.Policy{
			Kind: "ValidatingWebhookConfiguration", Name: "hook", Entry: strconv.Itoa(i), Phase: scope.ValidatingWebhooks, Layers: []scope.Layer{l},
			WhenIncluded: func(*scope.Request) scope.Effect { return scope.Called }, WhenExcluded: scope.NotCalled,
		})
	}
	var known []resource.Resource
	for _, r := range builtin.Resources() {
		one := resource.Resource{Subresource: r.Subresource, Kind: r.Kind, Namespaced: r.Namespaced, Served: true}
		one.Group, one.Version, one.Resource = r.Group, r.Version, r.Resource
		known = append(known, one)
	}
	return &cluster.Snapshot{
		Facts: &scope.Facts{Resources: resource.NewSet(known, nil)}, Policies: scope.NewSet(policies),
		About: cluster.About{Source: "a test", Kind: cluster.Live, Read: time.Now()},
	}
}

func newChanging(layers ...scope.Layer) *changing {
	return &changing{snapshot: snapshotOf(layers...), changes: map[chan struct{}]bool{}}
}

// client is the page's end of a session.
type client struct {
	*websocket.Conn
	t *testing.T
}

func dial(t *testing.T, s *httptest.Server) *client {
	t.Helper()
	header := http.Header{"Origin": {s.URL}}
	conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.URL, "http")+"/explore/socket", header)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	return &client{conn, t}
}

func (c *client) ask(seq int64, text string) {
	c.t.Helper()
	if err := c.WriteJSON(question{Seq: seq, Text: text}); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) reply() reply {
	c.t.Helper()
	var r reply
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	if err := c.ReadJSON(&r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// running reports whether some goroutine is in a function.
func running(function string) bool {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 2)
	return strings.Contains(b.String(), function)
}

func wait(t *testing.T, until func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if until() {
			return
		}
	}
	t.Fatal("it did not happen in time")
}

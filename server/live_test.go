package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// watchLive is a page's end of /live.
func watchLive(t *testing.T, s *httptest.Server) (next func() newer, leave func() error) {
	t.Helper()
	conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.URL, "http")+"/live", http.Header{"Origin": {s.URL}})
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	return func() newer {
		t.Helper()
		var n newer
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		if err := conn.ReadJSON(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}, conn.Close
}

func TestLiveTellsTheNewestSnapshot(t *testing.T) {
	source := newChanging(newGate())
	s := serve(t, source)
	rendered := func() string {
		return page(t, s.URL+"/about").Find("meta[name=snapshot]").AttrOr("content", "")
	}
	first := rendered()
	next, _ := watchLive(t, s)
	if got := next(); got.Snapshot != first || !strings.Contains(got.Fresh, `id="fresh"`) {
		t.Errorf("the page was rendered from %q, the newest is %q with %q", first, got.Snapshot, got.Fresh)
	}
	source.set(snapshotOf(newGate(), newGate()))
	second := next().Snapshot
	if second == first {
		t.Error("the number stayed the same after a change")
	}
	if got := rendered(); got != second {
		t.Errorf("a page that is rendered now is from %q, the newest is %q", got, second)
	}
}

// TestLiveCatchesUp holds that a page whose snapshot was replaced before it could listen is
// told so at once.
func TestLiveCatchesUp(t *testing.T) {
	source := newChanging(newGate())
	s := serve(t, source)
	before := page(t, s.URL+"/about").Find("meta[name=snapshot]").AttrOr("content", "")
	source.set(snapshotOf(newGate()))
	next, _ := watchLive(t, s)
	if got := next().Snapshot; got == before {
		t.Errorf("the page hears of %q, from which it was rendered", got)
	}
}

// TestLiveJoinsChanges holds that changes which come faster than pages are told become one.
func TestLiveJoinsChanges(t *testing.T) {
	source := newChanging(newGate())
	s := serve(t, source)
	next, _ := watchLive(t, s)
	seen := map[string]bool{next().Snapshot: true}
	for range 50 {
		source.set(snapshotOf(newGate()))
	}
	source.set(snapshotOf(newGate(), newGate()))
	last := page(t, s.URL+"/about").Find("meta[name=snapshot]").AttrOr("content", "")
	for !seen[last] {
		seen[next().Snapshot] = true
	}
	if len(seen) > 4 {
		t.Errorf("51 changes were told in %d messages", len(seen)-1)
	}
}

func TestLiveEndsWithThePage(t *testing.T) {
	source := newChanging(newGate())
	s := serve(t, source)
	next, leave := watchLive(t, s)
	next()
	if n := source.subscribers(); n != 1 {
		t.Fatalf("%d subscribers", n)
	}
	if err := leave(); err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); source.subscribers() > 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("the subscription outlives the page")
		}
	}
}

func TestLiveSpeaksWebsocketOnly(t *testing.T) {
	s := serve(t, newChanging(newGate()))
	if response, _ := send(t, newRequest(t, http.MethodGet, s.URL+"/live", "")); response.StatusCode != http.StatusBadRequest {
		t.Errorf("status %s", response.Status)
	}
}

// TestLiveTellsOfFindings holds that a page which shows findings is told when a search has
// found others, and that other pages have no number to compare.
func TestLiveTellsOfFindings(t *testing.T) {
	s := shopServer(t)
	next, _ := watchLive(t, s)
	before := next()
	page(t, s.URL+guardPage)
	waitForFindings(t, s.URL)
	after := next()
	if after.Findings == before.Findings || after.Snapshot != before.Snapshot {
		t.Errorf("told %+v, before that %+v", after, before)
	}
	number := func(path string) string {
		return page(t, s.URL+path).Find("meta[name=findings]").AttrOr("content", "")
	}
	for _, path := range []string{guardPage, "/coverage"} {
		if got := number(path); got != after.Findings {
			t.Errorf("%s shows findings %q, the newest are %q", path, got, after.Findings)
		}
	}
	if got := number("/groups"); got != "" {
		t.Errorf("a page without findings has their number %q", got)
	}
}

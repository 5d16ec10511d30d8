package server

import (
	"context"
	"log/slog"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/views"
)

const (
	// findingsPatience is how long a page waits for a search that is not done.
	findingsPatience = 100 * time.Millisecond
	// findingsTime bounds one search. What was found until then is shown.
	findingsTime = 2 * time.Minute
)

// finder searches the policies for hazards, one search at a time, and remembers the last.
type finder struct {
	mu            sync.Mutex
	last, running *search
	// wanted is the newest snapshot that somebody asked about during the running search.
	wanted *cluster.Snapshot
	// edition grows when there is something else to show, and changed is closed then.
	edition int
	changed chan struct{}
}

// search is one search. Found is set once done is closed.
type search struct {
	snapshot *cluster.Snapshot
	done     chan struct{}
	found    []hazard.Finding
}

// findings shows what was found in the policies of the newest snapshot, and says which edition
// of the findings that is. It waits for a moment only: the list says that Ambit is looking
// while nobody has finished with these policies. After a change of the population or of other
// facts it shows the last findings while it looks again. A later edition is news for the page.
func (s *server) findings(ctx context.Context) (list views.FindingList, edition string) {
	now := s.current().Snapshot
	done := s.finder.start(now, s.Logger)
	timer := time.NewTimer(findingsPatience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
	found, known, edition := s.finder.of(now)
	return views.NewFindings(found, known), edition
}

// allFindings waits until the search in a snapshot is done.
func (s *server) allFindings(ctx context.Context) ([]hazard.Finding, error) {
	for {
		now := s.current().Snapshot
		select {
		case <-s.finder.start(now, s.Logger):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if found, known, _ := s.finder.of(now); known {
			return found, nil
		}
	}
}

// of returns the last findings, if they are about the policies of a snapshot, and their edition.
func (f *finder) of(now *cluster.Snapshot) (found []hazard.Finding, known bool, edition string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	edition = strconv.Itoa(f.edition)
	if f.last == nil || f.last.snapshot.Policies != now.Policies {
		return nil, false, edition
	}
	return f.last.found, true, edition
}

// start looks for hazards in a snapshot, unless that was done or a search is running. It
// returns a channel that is closed when there is news.
func (f *finder) start(now *cluster.Snapshot, log *slog.Logger) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.running != nil:
		f.wanted = now
		return f.running.done
	case f.last != nil && f.last.snapshot == now:
		return f.last.done
	}
	return f.begin(now, log)
}

// begin begins a search. The lock is held.
func (f *finder) begin(now *cluster.Snapshot, log *slog.Logger) <-chan struct{} {
	f.running = &search{snapshot: now, done: make(chan struct{})}
	go f.run(f.running, log)
	return f.running.done
}

// news returns the newest edition, and a channel that is closed when there is another.
func (f *finder) news() (edition string, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return strconv.Itoa(f.edition), f.changed
}

// run searches. A search that breaks must not take the server with it: it has found
// nothing, and the log says why.
func (f *finder) run(s *search, log *slog.Logger) {
	defer func() {
		if broken := recover(); broken != nil {
			log.Error("the search for hazards broke", "error", broken, "stack", string(debug.Stack()))
		}
		f.end(s, log)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), findingsTime)
	defer cancel()
	s.found = hazard.Find(ctx, s.snapshot.HazardInput())
}

// end takes down what a search found, tells those who wait, and begins the search that was
// asked for meanwhile.
func (f *finder) end(s *search, log *slog.Logger) {
	other := !s.showsAs(f.before())
	f.mu.Lock()
	defer f.mu.Unlock()
	if other {
		f.edition++
		if f.changed != nil {
			close(f.changed)
			f.changed = nil
		}
	}
	f.last, f.running = s, nil
	close(s.done)
	if next := f.wanted; next != nil && next != s.snapshot {
		f.begin(next, log)
	}
	f.wanted = nil
}

// before returns the last search.
func (f *finder) before() *search {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last
}

// showsAs reports whether a page looks the same after this search as after the one before.
// While a search in other policies ran, pages had nothing to show.
func (s *search) showsAs(before *search) bool {
	return before != nil && before.snapshot.Policies == s.snapshot.Policies &&
		slices.EqualFunc(before.found, s.found, func(a, b hazard.Finding) bool {
			// The policies are the same ones, and only their pointers would be compared at length.
			a.Policy, b.Policy = nil, nil
			return reflect.DeepEqual(a, b)
		})
}

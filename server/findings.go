package server

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/hazard"
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
}

// search is one search. Found is set once done is closed.
type search struct {
	snapshot *cluster.Snapshot
	done     chan struct{}
	found    []hazard.Finding
}

// findings returns what was found in the policies of the newest snapshot. It waits for a
// moment only: known is false while nobody has finished looking at these policies. After a
// change of the population or of other facts it returns the last findings while it looks
// again.
func (s *server) findings(ctx context.Context) (found []hazard.Finding, known bool) {
	now := s.current().Snapshot
	done := s.finder.start(now, s.Logger)
	timer := time.NewTimer(findingsPatience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return s.finder.of(now)
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
		if found, known := s.finder.of(now); known {
			return found, nil
		}
	}
}

// of returns the last findings, if they are about the policies of a snapshot.
func (f *finder) of(now *cluster.Snapshot) (found []hazard.Finding, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last == nil || f.last.snapshot.Policies != now.Policies {
		return nil, false
	}
	return f.last.found, true
}

// start looks for hazards in a snapshot, unless that was done or a search is running. It
// returns a channel that is closed when there is news.
func (f *finder) start(now *cluster.Snapshot, log *slog.Logger) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.running != nil:
		return f.running.done
	case f.last != nil && f.last.snapshot == now:
		return f.last.done
	}
	f.running = &search{snapshot: now, done: make(chan struct{})}
	go f.run(f.running, log)
	return f.running.done
}

// run searches. A search that breaks must not take the server with it: it has found
// nothing, and the log says why.
func (f *finder) run(s *search, log *slog.Logger) {
	defer func() {
		if broken := recover(); broken != nil {
			log.Error("the search for hazards broke", "error", broken, "stack", string(debug.Stack()))
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.last, f.running = s, nil
		close(s.done)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), findingsTime)
	defer cancel()
	s.found = hazard.Find(ctx, s.snapshot.HazardInput())
}

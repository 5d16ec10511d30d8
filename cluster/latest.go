package cluster

import (
	"sync"
	"sync/atomic"
)

// latest holds the newest snapshot and tells the subscribers about every new one. It is the part that all sources
// have in common.
type latest struct {
	snapshot atomic.Pointer[Snapshot]

	mu          sync.Mutex
	subscribers map[chan struct{}]struct{}
}

// Fixed returns a source whose snapshot never changes.
func Fixed(s *Snapshot) Source {
	l := &latest{}
	l.publish(s)
	return l
}

// Snapshot implements Source.
func (l *latest) Snapshot() *Snapshot { return l.snapshot.Load() }

// Subscribe implements Source. The channel has room for one value: a subscriber that has not yet taken it will look
// at the newest snapshot anyway, so nobody ever waits for a slow one.
func (l *latest) Subscribe() (changes <-chan struct{}, cancel func()) {
	c := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.subscribers == nil {
		l.subscribers = map[chan struct{}]struct{}{}
	}
	l.subscribers[c] = struct{}{}
	return c, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.subscribers, c)
	}
}

// publish makes a snapshot the newest one.
func (l *latest) publish(s *Snapshot) {
	l.snapshot.Store(s)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.subscribers {
		nudge(c)
	}
}

// nudge puts a value into a channel with room for one, unless there is one already.
func nudge(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

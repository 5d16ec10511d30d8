package cluster

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/ambit-k8s/ambit/scope"
)

// How long changes in the cluster may gather before there is a new snapshot.
const (
	eventsQuiet = 100 * time.Millisecond
	eventsMost  = 250 * time.Millisecond
)

// live is a source that follows a running cluster.
//
// Watches put what they read into their stores, and a survey asks now and then for what cannot be watched. Both only
// say that something changed; one goroutine makes the snapshots of it, and starts and stops watches as policies come
// and go.
type live struct {
	latest
	clients   *clients
	compilers compilers
	// kinds are followed whatever the policies are.
	kinds []scope.ObjectKind
	// filling is nil where nobody asked for the population.
	filling    *filling
	authorizer authorizer.UnconditionalAuthorizer

	changes  chan struct{}
	resurvey chan struct{}
	running  sync.WaitGroup

	mu         sync.Mutex
	surveyed   *survey
	unanswered failure

	// What follows belongs to the goroutine that makes the snapshots.
	watches map[watchKey]*watch
	parts   parts
	// states are those that the snapshot under way is made of.
	states map[*watch]watchState
}

// WatchLive follows the cluster that the getter leads to until the context ends. It is an error if the cluster does
// not answer now; if it stops answering later, the last snapshot stays and says so. The first snapshot may be empty,
// with everything still syncing.
func WatchLive(ctx context.Context, getter genericclioptions.RESTClientGetter, options ...LiveOption) (Source, error) {
	c, err := newClients(getter)
	if err != nil {
		return nil, err
	}
	return startLive(ctx, c, watchedKinds, liveOptionsOf(options))
}

// startLive follows some kinds of object of a cluster by means of its clients, and what their policies take.
func startLive(ctx context.Context, c *clients, kinds []scope.ObjectKind, options liveOptions) (*live, error) {
	asks, err := newReviewer(c.reviews)
	if err != nil {
		return nil, err
	}
	asking, cancel := context.WithTimeout(ctx, surveyTimeout)
	defer cancel()
	first, err := c.take(asking, nil)
	if err != nil {
		return nil, err
	}
	l := &live{
		clients: c, compilers: newCompilers(options.kyverno), kinds: kinds, authorizer: asks,
		changes: make(chan struct{}, 1), resurvey: make(chan struct{}, 1),
		surveyed: first, watches: map[watchKey]*watch{},
	}
	if options.population.on() {
		l.filling = newFilling(c, options.population, l.changed)
	}
	l.rebuild(ctx)
	l.running.Go(func() {
		debounce(ctx, l.changes, patience{eventsQuiet, eventsMost, l.arrived}, func() { l.rebuild(ctx) })
	})
	l.running.Go(func() { l.keepSurveying(ctx) })
	return l, nil
}

// changed says that there is something new for a snapshot.
func (l *live) changed() { nudge(l.changes) }

// arrived reports whether the last of what the newest snapshot waits for has come in: who asks for everything should not
// wait for more, and the population is only read once the policies are there.
func (l *live) arrived() bool {
	s := l.Snapshot()
	if len(s.About.Syncing) > 0 {
		for _, w := range l.watches {
			if state := w.now(); w.kind.Without != "" && !state.synced && state.unread() == nil {
				return false
			}
		}
		return true
	}
	return len(s.Population.reading()) > 0 && l.filling.arrived()
}

// ReadOnce follows the cluster that the getter leads to until everything has been read, and returns that. It is an
// error if this takes longer than the context allows; kinds that are forbidden or missing are no error but a gap. The
// Identities are not read: who asks once need not wait for all role bindings of the cluster. Nor is the population,
// unless it is asked for.
func ReadOnce(ctx context.Context, getter genericclioptions.RESTClientGetter, options ...LiveOption) (*Snapshot, error) {
	c, err := newClients(getter)
	if err != nil {
		return nil, err
	}
	return readOnce(ctx, c, liveOptionsOf(options))
}

func readOnce(ctx context.Context, c *clients, options liveOptions) (*Snapshot, error) {
	following, stop := context.WithCancel(ctx)
	l, err := startLive(following, c, decidingKinds, options)
	if err != nil {
		stop()
		return nil, err
	}
	defer l.running.Wait()
	defer stop()
	changes, cancel := l.Subscribe()
	defer cancel()
	for {
		s := l.Snapshot()
		if len(s.About.Syncing) == 0 && len(s.Population.reading()) == 0 {
			return s, nil
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return nil, notRead(s, ctx.Err())
		}
	}
}

// notRead says what could not be read in time.
func notRead(s *Snapshot, err error) error {
	var names []string
	for _, p := range s.About.Syncing {
		names = append(names, p.Name)
	}
	names = append(names, s.Population.reading()...)
	if s.About.Stale != "" {
		return fmt.Errorf("%s of %s could not be read: %w (%s)", strings.Join(names, ", "), s.About.Source, err, s.About.Stale)
	}
	return fmt.Errorf("%s of %s could not be read: %w", strings.Join(names, ", "), s.About.Source, err)
}

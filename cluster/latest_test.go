package cluster

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestSubscribe(t *testing.T) {
	first, second, third := &Snapshot{}, &Snapshot{}, &Snapshot{}
	l := &latest{}
	l.publish(first)
	changes, cancel := l.Subscribe()
	l.publish(second)
	l.publish(third)
	<-changes
	if l.Snapshot() != third {
		t.Error("the snapshot is not the newest")
	}
	select {
	case <-changes:
		t.Error("two changes did not become one")
	default:
	}
	cancel()
	l.publish(first)
	select {
	case <-changes:
		t.Error("a cancelled subscription gets changes")
	default:
	}
}

func TestFixed(t *testing.T) {
	s := &Snapshot{}
	source := Fixed(s)
	_, cancel := source.Subscribe()
	defer cancel()
	if source.Snapshot() != s {
		t.Error("the snapshot is another one")
	}
}

func TestManySubscribers(t *testing.T) {
	l := &latest{}
	l.publish(&Snapshot{})
	last := &Snapshot{}
	var ready, done sync.WaitGroup
	for range 50 {
		ready.Add(1)
		done.Go(func() {
			changes, cancel := l.Subscribe()
			defer cancel()
			ready.Done()
			for range changes {
				if l.Snapshot() == last {
					return
				}
			}
		})
	}
	ready.Wait()
	for range 100 {
		l.publish(&Snapshot{})
	}
	l.publish(last)
	done.Wait()
}

func TestDebounce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		changes := make(chan struct{}, 1)
		var done []time.Duration
		var enough atomic.Bool
		start := time.Now()
		var running sync.WaitGroup
		running.Go(func() {
			debounce(ctx, changes, patience{100 * time.Millisecond, 250 * time.Millisecond, enough.Load}, func() { done = append(done, time.Since(start)) })
		})

		nudge(changes)
		time.Sleep(50 * time.Millisecond)
		nudge(changes)
		time.Sleep(time.Second)
		for range 8 { // A stream of changes, the last one 0.35 s after the first.
			nudge(changes)
			time.Sleep(50 * time.Millisecond)
		}
		time.Sleep(time.Second)
		nudge(changes) // Of this one and the next, 20 ms later, the next is enough.
		time.Sleep(20 * time.Millisecond)
		enough.Store(true)
		nudge(changes)
		time.Sleep(time.Second)
		enough.Store(false)
		nudge(changes)
		cancel()
		running.Wait()

		// Quiet 100 ms after the second change; the stream from 1.05 s on is cut 250 ms later, and its rest is quiet.
		want := []time.Duration{150 * time.Millisecond, 1300 * time.Millisecond, 1500 * time.Millisecond, 2470 * time.Millisecond}
		if len(done) != len(want) {
			t.Fatalf("done at %v, want %v", done, want)
		}
		for i := range want {
			if done[i].Round(10*time.Millisecond) != want[i] {
				t.Errorf("done at %v, want %v", done, want)
			}
		}
	})
}

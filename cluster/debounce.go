package cluster

import (
	"context"
	"time"
)

// debounce calls do after changes: once it has been quiet for a while, and under a stream of changes when the first
// of them is as old as most. It returns when the context ends.
func debounce(ctx context.Context, changes <-chan struct{}, quiet, most time.Duration, do func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		}
		deadline := time.NewTimer(most)
		settle(ctx, changes, quiet, deadline.C)
		deadline.Stop()
		if ctx.Err() != nil {
			return
		}
		do()
	}
}

// settle waits until no change came in for a while, or the deadline has passed, or the context ends.
func settle(ctx context.Context, changes <-chan struct{}, quiet time.Duration, deadline <-chan time.Time) {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-deadline:
			return
		case <-timer.C:
			return
		case <-changes:
			timer.Reset(quiet)
		}
	}
}

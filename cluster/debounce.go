package cluster

import (
	"context"
	"time"
)

// patience is how long changes may gather before something is done about them.
type patience struct {
	// quiet is how long nothing may have changed.
	quiet time.Duration
	// most is how old the first of them may be.
	most time.Duration
	// enough, if there is one, is asked after each change whether there is nothing to gain from another.
	enough func() bool
}

// debounce calls do after changes, as soon as the patience with them ends. It returns when the context ends.
func debounce(ctx context.Context, changes <-chan struct{}, p patience, do func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		}
		p.wait(ctx, changes)
		if ctx.Err() != nil {
			return
		}
		do()
	}
}

// wait waits after a first change until the patience or the context ends.
func (p patience) wait(ctx context.Context, changes <-chan struct{}) {
	quiet, most := time.NewTimer(p.quiet), time.NewTimer(p.most)
	defer quiet.Stop()
	defer most.Stop()
	for p.enough == nil || !p.enough() {
		select {
		case <-ctx.Done():
			return
		case <-most.C:
			return
		case <-quiet.C:
			return
		case <-changes:
			quiet.Reset(p.quiet)
		}
	}
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
)

// followState is how far a follower has come.
type followState struct {
	// listed says that all objects have been there once.
	listed  bool
	failure failure
	// failures counts the attempts that failed since one last succeeded.
	failures int
}

// refusedWait is how long a follower waits after it was refused. There may be a hundred of them, and every refusal is a
// line in somebody's audit log.
const refusedWait = 2 * time.Minute

// listed takes down that all objects have been read.
func (w *follower) listed() {
	w.filling.note(func() { w.state.listed = true })
	w.filling.changed()
}

// attempted takes down how an attempt to list or to watch went.
func (w *follower) attempted(ctx context.Context, err error) {
	if ctx.Err() != nil || outdatedList(err) {
		return
	}
	f := w.filling
	f.mu.Lock()
	before, _ := w.state.says()
	news := w.state.failure.note(err)
	w.state.failures++
	if err == nil {
		w.state.failures = 0
	}
	if after, _ := w.state.says(); news || after != before {
		news = true
		f.generation++
	}
	f.mu.Unlock()
	if news {
		f.changed()
	}
}

// outdatedList reports that a list took so long that its last pages are not kept any more: the next one may do better.
func outdatedList(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// says tells the state in a word and, if something is missing, in a sentence.
func (s followState) says() (state ReadState, why string) {
	switch err := s.failure.err; {
	case err == nil && s.listed:
		return Read, ""
	case err == nil, !s.listed && !s.lasting():
		return Reading, ""
	case s.listed:
		return Missing, fmt.Sprintf("Changes have not been seen since %s: %s.", s.failure.since.Format(time.TimeOnly), plainly(err))
	default:
		return Missing, fmt.Sprintf("It cannot be read: %s.", plainly(err))
	}
}

// lasting reports whether the failure is one that another attempt hardly mends.
func (s followState) lasting() bool {
	return s.failures > 1 || refused(s.failure.err) || errors.Is(s.failure.err, errSilent)
}

// refused reports an answer that stays the same until somebody changes something.
func refused(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err) || apierrors.IsUnauthorized(err)
}

// pauseAfter is how long a follower waits after an error.
func pauseAfter(err error) time.Duration {
	switch {
	case refused(err):
		return refusedWait
	case errors.Is(err, errSilent):
		return answerTimeout
	}
	return wait.Jitter(retryWait, 0.5)
}

// linger waits, unless the context ends.
func linger(ctx context.Context, pause time.Duration) {
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}

package server

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"weak"

	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// askedBy asks as somebody.
func askedBy(name string) coverage.Ask {
	return coverage.Ask{User: &authenticationv1.UserInfo{Username: name}}
}

// mustCover evaluates, and returns the result.
func mustCover(t *testing.T, s *server, ask coverage.Ask) *coverage.Result {
	t.Helper()
	c, err := s.covered(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	return c.result
}

func TestPagesShareAResult(t *testing.T) {
	source := withPopulation()
	s := newServer(Config{Source: source})
	first := mustCover(t, s, coverage.Ask{})
	if mustCover(t, s, coverage.Ask{Operation: "CREATE"}) != first {
		t.Error("the same question was evaluated twice")
	}
	for _, other := range []coverage.Ask{{Operation: "DELETE"}, askedBy("mira"), {User: &authenticationv1.UserInfo{Username: "mira", Groups: []string{"devs"}}}} {
		if mustCover(t, s, other) == first {
			t.Errorf("%+v got the answer to another question", other)
		}
	}
	source.set(withPopulation().snapshot)
	if mustCover(t, s, coverage.Ask{}) == first {
		t.Error("a new snapshot got the result of the one before")
	}
}

func TestFewResultsAreKept(t *testing.T) {
	s := newServer(Config{Source: withPopulation()})
	first := mustCover(t, s, askedBy("user-0"))
	for i := range 3 * mostQuestions {
		mustCover(t, s, askedBy(fmt.Sprintf("user-%d", i)))
	}
	if n, m := len(s.current().results.kept), len(s.evaluators.kept); n != mostQuestions || m != mostQuestions {
		t.Errorf("%d results and %d evaluators are kept, want %d", n, m, mostQuestions)
	}
	if mustCover(t, s, askedBy("user-0")) == first {
		t.Error("the result of the oldest question is still there")
	}
}

// TestResultsGoWithTheirSnapshot holds that nothing keeps a result once there is a newer
// snapshot and somebody has looked at it.
func TestResultsGoWithTheirSnapshot(t *testing.T) {
	source := withPopulation()
	s := newServer(Config{Source: source})
	old := weak.Make(mustCover(t, s, coverage.Ask{}))
	source.set(withPopulation().snapshot)
	mustCover(t, s, coverage.Ask{})
	runtime.GC()
	if old.Value() != nil {
		t.Error("the result of the old snapshot is still in memory")
	}
}

func TestOneEvaluatesForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newSharedResult()
		release := make(chan struct{})
		var evaluations atomic.Int32
		evaluate := func() (*coverage.Result, error) {
			evaluations.Add(1)
			<-release
			return &coverage.Result{}, nil
		}
		results := make([]*coverage.Result, 8)
		var all sync.WaitGroup
		for i := range results {
			all.Go(func() { results[i], _ = shared.get(t.Context(), evaluate) })
		}
		synctest.Wait()
		close(release)
		all.Wait()
		if n := evaluations.Load(); n != 1 {
			t.Errorf("%d evaluations for %d who asked", n, len(results))
		}
		for i, r := range results {
			if r == nil || r != results[0] {
				t.Errorf("number %d got another result", i)
			}
		}
	})
}

// TestWhoLeavesTakesNothingAlong has the first one give up: the second goes on, and a third who
// gives up while waiting does not wait any longer.
func TestWhoLeavesTakesNothingAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newSharedResult()
		leaves, cancel := context.WithCancel(t.Context())
		var first, third error
		var second *coverage.Result
		var all sync.WaitGroup
		all.Go(func() {
			_, first = shared.get(leaves, func() (*coverage.Result, error) {
				<-leaves.Done()
				return nil, leaves.Err()
			})
		})
		synctest.Wait()
		all.Go(func() {
			second, _ = shared.get(t.Context(), func() (*coverage.Result, error) { return &coverage.Result{}, nil })
		})
		impatient, giveUp := context.WithCancel(t.Context())
		all.Go(func() { _, third = shared.get(impatient, nil) })
		synctest.Wait()
		giveUp()
		synctest.Wait()
		if !errors.Is(third, context.Canceled) {
			t.Errorf("who gave up got %v", third)
		}
		cancel()
		all.Wait()
		if !errors.Is(first, context.Canceled) || second == nil {
			t.Errorf("the first got %v, the second %v", first, second)
		}
	})
}

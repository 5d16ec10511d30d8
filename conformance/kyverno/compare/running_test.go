package compare

import (
	"flag"
	"testing"
	"time"

	"github.com/ambit-k8s/ambit/conformance/kyverno/generate"
	"github.com/ambit-k8s/ambit/conformance/kyverno/session"
	"github.com/ambit-k8s/ambit/scope/kyverno/config"
)

var sets = flag.Int("sets", 100, "how many sets of policies to give to the running controller")

// Ambit predicts what the running controller writes. One cluster serves all parts, the last of which ends the controller.
func TestRunning(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs Kyverno")
	}
	started, err := session.Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := started.Stop(); err != nil {
			t.Error(err)
		}
	})
	s := running{started}
	t.Run("generated", s.testGenerated)
	t.Run("collected", s.testCollected)
	t.Run("flags", s.testFlags)
	t.Run("refused", s.testRefused)
	t.Run("crash", s.testCrash)
}

// testGenerated gives made-up policies to the controller.
func (s running) testGenerated(t *testing.T) {
	begin := time.Now()
	var done, states, policies, refused, entries, late, failures int
	for number := uint64(0); done < *sets; number++ {
		batch := generate.New(*fromSeed, number).Batch()
		o, err := s.bring(t.Context(), batch, config.Flags{})
		if err != nil {
			t.Fatalf("seed %d, batch %d: %v", *fromSeed, number, err)
		}
		done += batch.Sets
		states++
		policies += len(o.world.policies)
		refused += len(o.refused)
		for _, why := range o.refused {
			t.Logf("batch %d: %.500s", number, why)
		}
		entries += len(o.state.Validating.Webhooks) + len(o.state.Mutating.Webhooks)
		if o.late {
			late++
		}
		if len(o.differences) > 0 {
			t.Errorf("seed %d, batch %d (%s):\n%s", *fromSeed, number, batch.Variant, s.said(t.Context(), o))
			if failures++; failures == 5 {
				t.Fatal("and so on")
			}
		}
	}
	t.Logf("%d sets of policies in %d states: %d policies and %d that Kyverno refused, %d webhooks; %v in all; %d states were not settled at first",
		done, states, policies, refused, entries, time.Since(begin).Round(time.Second), late)
}

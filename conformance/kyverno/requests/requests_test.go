package requests

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	count    = flag.Int("requests", 500, "how many requests to send in each round")
	fromSeed = flag.Uint64("seed", 6, "what the requests are made up from")
)

// Ambit says which policies apply to a request, and whether it is refused, as a running Kyverno has it.
func TestRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs Kyverno")
	}
	w, err := start(t.Context(), t.TempDir())
	if w != nil {
		t.Cleanup(func() {
			if err := w.stop(); err != nil {
				t.Error(err)
			}
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rounds {
		t.Run(r.name, func(t *testing.T) {
			if err := w.enforce(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			compareAll(t, w, r)
		})
	}
}

func compareAll(t *testing.T, w *world, r round) {
	g := rand.New(rand.NewPCG(*fromSeed, 1))
	applied := map[string]int{}
	var verdicts, refusals, unknown, late, failures int
	for range *count {
		v, err := w.judge(t.Context(), makeUp(g), r.deny)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range v.seen {
			applied[name]++
		}
		verdicts += len(v.said.traces)
		unknown += len(v.said.unknown)
		if !v.answer.OK() {
			refusals++
		}
		if v.late {
			late++
		}
		if v.wrong != "" {
			t.Error(v)
			if failures++; failures == 10 {
				t.Fatal("and so on")
			}
		}
	}
	t.Logf("%d requests, %d of them refused, %d late; %d verdicts on policies, %d unknown", *count, refusals, late, verdicts, unknown)
	var names []string
	for name, times := range applied {
		names = append(names, fmt.Sprintf("%s %d", name, times))
	}
	slices.Sort(names)
	t.Logf("how often each policy was seen to apply: %s", strings.Join(names, ", "))
	if r.ending != rounds[0].ending || *count < 500 {
		return // A refusal names some of the policies that refuse, and labels that are overwritten silence some.
	}
	all, err := policies(false, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.GetKind() != "PolicyException" && p.GetName() != "v-off" && applied[p.GetName()] == 0 {
			t.Errorf("%s never applied, so that nothing is known about it", p.GetName())
		}
	}
}

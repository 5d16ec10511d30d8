package compare

import (
	"flag"
	"os"
	"testing"
)

var (
	requests = flag.Int("requests", 2000, "how many requests to send")
	fromSeed = flag.Uint64("seed", 1, "what the policies and requests are made up from")
)

// corpus has policies that people really use, where it lies beside the project.
const corpus = "../../../../shared/corpus/admission"

// Ambit says what the API server does.
func TestCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	report, err := Run(t.Context(), Options{Requests: *requests, Seed: *fromSeed, Dir: t.TempDir(), Corpus: corpus, Log: t.Logf})
	if report != nil {
		report.Print(os.Stdout)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !report.Agreed() {
		t.Error("Ambit and the API server disagree")
	}
	if whole := report.Tallies[Whole]; whole.Unknown*200 > whole.Judged() {
		t.Errorf("%d of %d verdicts on whole requests are unknown, more than one in 200", whole.Unknown, whole.Judged())
	}
}

// startSession starts an API server with Ambit watching it for the time of a test.
func startSession(t *testing.T) *session {
	t.Helper()
	s, err := start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

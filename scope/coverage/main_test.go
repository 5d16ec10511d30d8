package coverage_test

import (
	"flag"
	"os"
	"testing"

	"k8s.io/klog/v2"
)

var (
	seed   = flag.Uint64("seed", 1, "seed of the generated tests")
	rounds = flag.Int("rounds", 12, "populations that each differential test generates")
)

// TestMain silences the warnings that upstream logs for every failing condition.
func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(nopWriter{})
	os.Exit(m.Run())
}

type nopWriter struct{}

func (nopWriter) Write(p []byte) (int, error) { return len(p), nil }

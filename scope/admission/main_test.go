package admission_test

import (
	"os"
	"testing"

	"k8s.io/klog/v2"
)

// TestMain silences the warnings that upstream logs for every failing condition.
func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(nopWriter{})
	os.Exit(m.Run())
}

type nopWriter struct{}

func (nopWriter) Write(p []byte) (int, error) { return len(p), nil }

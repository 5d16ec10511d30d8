// Command ambit shows which policies a request to a Kubernetes cluster falls under, and
// which layer of each one decided it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/klog/v2"
)

func main() {
	// Upstream's packages log every condition that fails and every review that is refused.
	// Ambit says these things itself, where they belong.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ambit: "+err.Error())
	}
	os.Exit(status(err))
}

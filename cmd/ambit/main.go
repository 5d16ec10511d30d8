// Command ambit shows which admission policies a request to a Kubernetes cluster falls
// under, and which layer of each one decided it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ambit: "+err.Error())
	}
	os.Exit(status(err))
}

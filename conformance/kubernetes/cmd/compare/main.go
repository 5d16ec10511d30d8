// Command compare holds Ambit to what a real kube-apiserver does, over as many requests as one likes. It exits with 1
// if they disagree about anything.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/compare"
)

func main() {
	requests := flag.Int("requests", 10000, "how many requests to send")
	seed := flag.Uint64("seed", 1, "what the policies and requests are made up from")
	corpus := flag.String("corpus", "../../../shared/corpus/admission", "a folder with real policies to draw from; it may be missing")
	verbose := flag.Bool("v", false, "tell what happens on the way")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	agreed, err := run(ctx, compare.Options{Requests: *requests, Seed: *seed, Corpus: *corpus, Log: log(*verbose)})
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if !agreed {
		os.Exit(1)
	}
}

func log(verbose bool) func(string, ...any) {
	return func(format string, args ...any) {
		if verbose {
			fmt.Fprintf(os.Stderr, format+"\n", args...)
		}
	}
}

// run compares and prints the report, also when it ends early.
func run(ctx context.Context, o compare.Options) (agreed bool, err error) {
	if o.Dir, err = os.MkdirTemp("", "ambit-compare-"); err != nil {
		return false, fmt.Errorf("make folder: %w", err)
	}
	defer os.RemoveAll(o.Dir)
	report, err := compare.Run(ctx, o)
	if report != nil {
		report.Print(os.Stdout)
	}
	return report.Agreed(), err
}

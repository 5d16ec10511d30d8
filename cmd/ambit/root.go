package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// The exit statuses of the contract, beside 0.
const (
	statusInput   = 2
	statusCluster = 3
)

// clusterError says that the cluster could not be read. Every other error is about what
// was given on the command line.
type clusterError struct{ error }

// Unwrap implements the interface that errors.Is and errors.As look for.
func (e clusterError) Unwrap() error { return e.error }

// status is the exit status for the error that a command ended with.
func status(err error) int {
	if err == nil {
		return 0
	}
	if errors.As(err, &foundError{}) {
		return statusFound
	}
	if errors.As(err, &clusterError{}) {
		return statusCluster
	}
	return statusInput
}

// newRoot is the command without a subcommand, which only explains itself.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "ambit",
		Short: "Which policies does a request to Kubernetes fall under, and what decided it?",
		Long: `Ambit explains the scope of Kubernetes policies: for one request, which FlowSchema it falls
in, which webhooks and admission policies see it, and which layer of each one decided that.

It reads a cluster, or manifests that it treats as one, and writes nothing.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	source := &source{}
	root.AddCommand(newServe(source), newExplain(source), newCoverage(source), newReview(source), newLint(source), newWebhooks(source), newVersion())
	return root
}

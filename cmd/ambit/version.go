package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version of Ambit and of the Kubernetes and the Kyverno that it knows",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "ambit %s\nKubernetes %s\nKyverno %s\n", ownVersion(), builtin.Version, release.Default)
			return err
		},
	}
}

// ownVersion is the version of the module that the binary was built from. A build from a
// working copy has none.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(development)"
	}
	return info.Main.Version
}

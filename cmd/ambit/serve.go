package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/cluster/sample"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/server"
	"github.com/ambit-k8s/ambit/views"
)

// patience is how long serve waits for the answer of a cluster that nobody asked for by
// name, before it shows the sample instead.
const patience = 5 * time.Second

// serving is what the flags of serve say.
type serving struct {
	*source
	listen string
	hosts  []string
	sample bool
	// flags and population say what is read of the objects of a cluster.
	flags      populationFlags
	population cluster.PopulationOptions
	release    release.Release
}

func newServe(s *source) *cobra.Command {
	v := &serving{source: s}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the web explorer",
		Long: `Serve the web explorer on this machine. It follows the cluster of the kubeconfig, or the
manifests given with -f, and shows every change as it happens. With no cluster to reach and
no -f it shows the built-in sample.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return v.run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	s.addFlags(flags)
	flags.StringVar(&v.listen, "listen", server.DefaultAddress, "address to serve on")
	flags.StringArrayVar(&v.hosts, "allowed-host", nil, "name by which browsers may address the server, besides those of this machine (repeatable)")
	v.flags.add(flags, cluster.PopulationFull)
	flags.BoolVar(&v.sample, "sample", false, "show the built-in sample, whatever cluster there is")
	return cmd
}

func (v *serving) run(ctx context.Context, stdin io.Reader, out, errOut io.Writer) error {
	logger := slog.New(slog.NewTextHandler(errOut, nil))
	examples, err := exampleViews()
	if err != nil {
		return err
	}
	listener, err := server.Listen(ctx, v.listen)
	if err != nil {
		return err
	}
	src, err := v.open(ctx, stdin, logger)
	if err != nil {
		listener.Close()
		return err
	}
	handler := server.New(server.Config{Source: src, Examples: examples, Version: ownVersion(), Logger: logger, AllowedHosts: v.hosts})
	fmt.Fprintf(out, "Ambit shows %s on http://%s\n", src.Snapshot().About.Source, listener.Addr())
	return server.Serve(ctx, listener, handler)
}

// open starts the source that the flags ask for. A cluster that was named must answer;
// one that merely is in the kubeconfig may be away, and then the sample takes its place.
func (v *serving) open(ctx context.Context, stdin io.Reader, logger *slog.Logger) (cluster.Source, error) {
	wanted, err := v.kubernetesVersion()
	if err != nil {
		return nil, err
	}
	if v.release, err = v.kyvernoRelease(); err != nil {
		return nil, err
	}
	if v.population, err = v.flags.options(); err != nil {
		return nil, err
	}
	switch {
	case v.sample:
		return sample.Under(v.release)
	case len(v.paths) > 0:
		return cluster.WatchManifests(ctx, v.paths, v.recursive, stdin, cluster.Options{
			Version: wanted, Kyverno: v.release, Population: v.population.Depth != cluster.PopulationOff,
		})
	case v.kubeconfig != "" || v.context != "":
		live, err := v.watch(ctx)
		if err != nil {
			return nil, clusterError{fmt.Errorf("read the cluster: %w", err)}
		}
		return live, nil
	}
	live, err := v.watchWithin(ctx, patience)
	if err != nil {
		logger.Info("no cluster answers, so this is the built-in sample", "cause", err)
		return sample.Under(v.release)
	}
	return live, nil
}

// watch follows the cluster of the kubeconfig.
func (v *serving) watch(ctx context.Context) (cluster.Source, error) {
	return cluster.WatchLive(ctx, v.getter(), cluster.WithPopulation(v.population), cluster.WithKyverno(v.release))
}

// watchWithin follows the cluster of the kubeconfig if it answers in time. One that does
// not is not asked any further.
func (v *serving) watchWithin(ctx context.Context, limit time.Duration) (cluster.Source, error) {
	watching, stop := context.WithCancelCause(ctx)
	late := time.AfterFunc(limit, func() { stop(fmt.Errorf("the cluster did not answer within %s", limit)) })
	source, err := v.watch(watching)
	if late.Stop() && err == nil {
		context.AfterFunc(ctx, func() { stop(nil) })
		return source, nil
	}
	if cause := context.Cause(watching); cause != nil {
		err = cause
	}
	stop(err)
	return nil, err
}

// exampleViews gives the sample's examples to the explore page.
func exampleViews() ([]views.Example, error) {
	all, err := sample.Examples()
	if err != nil {
		return nil, err
	}
	shown := make([]views.Example, 0, len(all))
	for _, e := range all {
		shown = append(shown, views.Example{ID: e.Name, Title: e.Title, Text: e.Text})
	}
	return shown, nil
}

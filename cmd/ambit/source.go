package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// source is where the cluster of a command comes from, by its flags.
type source struct {
	paths      []string
	recursive  bool
	version    string
	kyverno    string
	kubeconfig string
	context    string
}

// addFlags adds the flags that all commands with a cluster have.
func (s *source) addFlags(flags *pflag.FlagSet) {
	flags.StringArrayVarP(&s.paths, "filename", "f", nil, "manifests to treat as the cluster: a file, a folder, or - for standard input (repeatable)")
	s.addReading(flags)
	flags.StringVar(&s.kubeconfig, "kubeconfig", "", "path of the kubeconfig file, without -f")
	flags.StringVar(&s.context, "context", "", "name of the kubeconfig context, without -f")
}

// addReading adds the flags that say how manifests are read.
func (s *source) addReading(flags *pflag.FlagSet) {
	flags.BoolVarP(&s.recursive, "recursive", "R", false, "read the folders that are given with everything below them")
	flags.StringVar(&s.version, "kubernetes-version", "", "version of the API server whose behaviour is wanted, such as 1.37")
	flags.StringVar(&s.kyverno, "kyverno-version", release.Default.String(), "version of Kyverno whose behaviour is wanted")
}

// readsStandardInput reports whether the cluster is read from standard input.
func (s *source) readsStandardInput() bool { return standardInputs(s.paths) > 0 }

// standardInputs counts the paths that stand for standard input.
func standardInputs(paths []string) int {
	n := 0
	for _, path := range paths {
		if path == "-" {
			n++
		}
	}
	return n
}

// kubernetesVersion is the version that was asked for, or nil.
func (s *source) kubernetesVersion() (*version.Version, error) {
	if s.version == "" {
		return nil, nil
	}
	v, err := version.ParseGeneric(s.version)
	if err != nil {
		return nil, fmt.Errorf("--kubernetes-version: %q is not a version such as 1.37: %w", s.version, err)
	}
	return v, nil
}

// kyvernoRelease is the release that was asked for.
func (s *source) kyvernoRelease() (release.Release, error) {
	r, err := release.Parse(s.kyverno)
	if err != nil {
		return r, fmt.Errorf("--kyverno-version: %w", err)
	}
	return r, nil
}

// manifestOptions are the versions that were asked for.
func (s *source) manifestOptions() (opts cluster.Options, err error) {
	if opts.Version, err = s.kubernetesVersion(); err != nil {
		return opts, err
	}
	opts.Kyverno, err = s.kyvernoRelease()
	return opts, err
}

// getter reaches the cluster of the kubeconfig, by kubectl's own rules.
func (s *source) getter() genericclioptions.RESTClientGetter {
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig, flags.Context = &s.kubeconfig, &s.context
	return flags
}

// read reads the cluster once, without its population. Objects without a namespace are in
// the given one.
func (s *source) read(ctx context.Context, stdin io.Reader, namespace string) (*cluster.Snapshot, error) {
	return s.readPopulated(ctx, stdin, namespace, cluster.PopulationOptions{Depth: cluster.PopulationOff})
}

// readPopulated reads the cluster once, and of its objects as much as is asked for. All
// objects that manifests hold are part of the population, unless none is asked for.
func (s *source) readPopulated(ctx context.Context, stdin io.Reader, namespace string, population cluster.PopulationOptions) (*cluster.Snapshot, error) {
	opts, err := s.manifestOptions()
	if err != nil {
		return nil, err
	}
	if len(s.paths) > 0 {
		opts.Namespace, opts.Population = namespace, population.Depth != cluster.PopulationOff
		snapshot, err := cluster.LoadManifests(ctx, s.paths, s.recursive, stdin, opts)
		if err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		return snapshot, nil
	}
	snapshot, err := cluster.ReadOnce(ctx, s.getter(), cluster.WithPopulation(population), cluster.WithKyverno(opts.Kyverno))
	if err != nil {
		return nil, clusterError{fmt.Errorf("read the cluster: %w; give manifests with -f to do without one", err)}
	}
	if opts.Version != nil {
		snapshot = withVersion(snapshot, opts.Version)
	}
	return snapshot, nil
}

// withVersion returns the snapshot of a cluster as if its API server had another version.
func withVersion(s *cluster.Snapshot, v *version.Version) *cluster.Snapshot {
	facts := *s.Facts
	facts.Version = v
	changed := *s
	changed.Facts = &facts
	return &changed
}

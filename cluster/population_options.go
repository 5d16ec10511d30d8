package cluster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ambit-k8s/ambit/scope/kyverno/release"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// PopulationOptions say what is read of the objects of a cluster.
type PopulationOptions struct {
	Depth PopulationDepth
	// LeaveOut names resources as kubectl does: events, ev, deployments.apps.
	LeaveOut []string
}

// PopulationDepth is how far into the objects Ambit looks.
type PopulationDepth string

// The population is not read; or the metadata of all objects are; or, besides, the whole objects of those resources
// whose content the policies look at.
const (
	PopulationOff      PopulationDepth = "off"
	PopulationMetadata PopulationDepth = "metadata"
	PopulationFull     PopulationDepth = "full"
)

// LeftOutByDefault are the resources that a population has only if they are asked for. Events are the most numerous
// objects of many clusters and are gone within the hour. Leases stay in: a policy that reaches those of the nodes by
// accident is among the worst.
var LeftOutByDefault = []string{"events"}

// ParsePopulationDepth reads a depth as it stands in a flag.
func ParsePopulationDepth(text string) (PopulationDepth, error) {
	depths := []PopulationDepth{PopulationFull, PopulationMetadata, PopulationOff}
	if depth := PopulationDepth(text); slices.Contains(depths, depth) {
		return depth, nil
	}
	return "", fmt.Errorf("%q is not one of full, metadata and off", text)
}

// on reports whether there is a population at all.
func (o PopulationOptions) on() bool {
	return o.Depth == PopulationMetadata || o.Depth == PopulationFull
}

// leavesOut reports whether a resource is among those to leave out, by any of the names that kubectl takes.
func (o PopulationOptions) leavesOut(r resource.Resource) bool {
	names := append([]string{r.Resource, r.GroupResource().String(), r.Singular, strings.ToLower(r.Kind.Kind)}, r.ShortNames...)
	return slices.ContainsFunc(o.LeaveOut, func(name string) bool {
		name = strings.ToLower(strings.TrimSpace(name))
		return name != "" && slices.Contains(names, name)
	})
}

// LiveOption changes what is read of a cluster.
type LiveOption func(*liveOptions)

type liveOptions struct {
	population PopulationOptions
	kyverno    release.Release
}

// WithPopulation reads the objects that exist, too. Without it a snapshot has no population.
func WithPopulation(o PopulationOptions) LiveOption {
	return func(all *liveOptions) { all.population = o }
}

// WithKyverno takes the cluster's Kyverno for another release than release.Default. Which one runs is not asked.
func WithKyverno(r release.Release) LiveOption {
	return func(all *liveOptions) { all.kyverno = r }
}

func liveOptionsOf(options []LiveOption) liveOptions {
	all := liveOptions{kyverno: release.Default}
	for _, option := range options {
		option(&all)
	}
	return all
}

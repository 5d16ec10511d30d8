package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/ambit-k8s/ambit/cluster"
)

// populationFlags say what is read of the objects of a cluster. Each command has its own,
// because they do not all read the same by default.
type populationFlags struct {
	depth    string
	leaveOut []string
}

// add adds the flags; depth is what the command reads if nothing is said.
func (p *populationFlags) add(flags *pflag.FlagSet, depth cluster.PopulationDepth) {
	flags.StringVar(&p.depth, "population", string(depth), "what to read of the objects of a cluster: full (metadata, and whole objects where match conditions look into them; never the content of Secrets), metadata, or off")
	flags.StringSliceVar(&p.leaveOut, "leave-out", cluster.LeftOutByDefault, "resources of a cluster whose objects are not read, as kubectl names them: events,leases,deployments.apps; an empty value leaves out none")
}

// options are what the flags ask for.
func (p *populationFlags) options() (cluster.PopulationOptions, error) {
	depth, err := cluster.ParsePopulationDepth(p.depth)
	if err != nil {
		return cluster.PopulationOptions{}, fmt.Errorf("--population: %w", err)
	}
	return cluster.PopulationOptions{Depth: depth, LeaveOut: p.leaveOut}, nil
}

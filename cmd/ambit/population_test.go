package main

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"github.com/ambit-k8s/ambit/cluster"
)

func TestPopulationFlags(t *testing.T) {
	for _, tc := range []struct {
		name     string
		args     []string
		depth    cluster.PopulationDepth
		leaveOut []string
		wrong    string
	}{
		{name: "default", depth: cluster.PopulationFull, leaveOut: []string{"events"}},
		{name: "off", args: []string{"--population=off"}, depth: cluster.PopulationOff, leaveOut: []string{"events"}},
		{name: "others left out", args: []string{"--leave-out=leases,pods.metrics.k8s.io", "--leave-out", "cm"}, depth: cluster.PopulationFull, leaveOut: []string{"leases", "pods.metrics.k8s.io", "cm"}},
		{name: "nothing left out", args: []string{"--leave-out="}, depth: cluster.PopulationFull},
		{name: "mistyped", args: []string{"--population=all"}, wrong: `--population: "all" is not one of full, metadata and off`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var p populationFlags
			flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
			p.add(flags, cluster.PopulationFull)
			if err := flags.Parse(tc.args); err != nil {
				t.Fatal(err)
			}
			got, err := p.options()
			if tc.wrong != "" {
				if err == nil || err.Error() != tc.wrong {
					t.Errorf("error is %v", err)
				}
				return
			}
			if err != nil || got.Depth != tc.depth || !slices.Equal(got.LeaveOut, tc.leaveOut) {
				t.Errorf("options are %+v, error %v", got, err)
			}
		})
	}
}

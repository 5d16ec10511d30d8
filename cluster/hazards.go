package cluster

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/hazard"
)

// HazardInput is the snapshot as the search for hazards takes it.
func (s *Snapshot) HazardInput() hazard.Input {
	return hazard.Input{
		Policies: s.Policies.Policies(), Facts: s.Facts, Namespaces: s.Namespaces,
		Complete: s.complete(), Objects: s.Population.counted(),
	}
}

// complete reports whether what is not in a snapshot does not exist: it is of a running
// cluster, and nothing in it was kept from us.
func (s *Snapshot) complete() bool {
	return s.About.Kind == Live && len(s.About.Gaps) == 0 && len(s.About.Syncing) == 0
}

// counted counts the objects that findings concern; nil where there is nothing to count.
// Of resources that were not read, or left out, there may be any number.
func (p Population) counted() hazard.Objects {
	if p.Population == nil {
		return nil
	}
	var unread []schema.GroupVersionResource
	for _, r := range p.Resources {
		if r.State != Read {
			unread = append(unread, r.GroupVersionResource)
		}
	}
	return hazard.NewPopulation(p.Population, unread)
}

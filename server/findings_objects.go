package server

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/cluster"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// objectsOf counts the objects of a population for findings; nil if there is none. What has
// not been read, or was left out, may have any number.
func objectsOf(p cluster.Population) hazard.Objects {
	if p.Population == nil {
		return nil
	}
	var unread []schema.GroupVersionResource
	for _, r := range p.Resources {
		if r.State != cluster.Read {
			unread = append(unread, r.GroupVersionResource)
		}
	}
	return hazard.NewPopulation(p.Population, unread)
}

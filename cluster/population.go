package cluster

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// Population is the objects that exist, as far as they have been read.
type Population struct {
	*coverage.Population
	// Resources are those of which there can be objects, sorted by group and name.
	Resources []PopulationResource
	// Document returns an object as it was written, unless it is a Secret. It is nil unless the
	// objects come from manifests: of a cluster only what policies look at is kept, and not
	// everybody who may see a verdict may see what is in a ConfigMap.
	Document func(gvr schema.GroupVersionResource, namespace, name string) (*unstructured.Unstructured, bool)
}

// PopulationResource says how far the objects of a resource have been read.
type PopulationResource struct {
	schema.GroupVersionResource
	State   ReadState
	Objects int
	// Why is a sentence for a resource that is not, or not wholly, read.
	Why string
}

// ReadState is how far something has been read.
type ReadState string

// A resource is being read, has been read, cannot be read, or is left out on purpose.
const (
	Reading ReadState = "reading"
	Read    ReadState = "read"
	Missing ReadState = "missing"
	LeftOut ReadState = "leftOut"
)

// reading names the resources that are still being read for the first time.
func (p Population) reading() []string {
	var names []string
	for _, r := range p.Resources {
		if r.State == Reading {
			names = append(names, r.GroupResource().String())
		}
	}
	return names
}

// Complete reports whether all objects have been read, apart from those that are left out.
func (p Population) Complete() bool {
	for _, r := range p.Resources {
		if r.State == Reading || r.State == Missing {
			return false
		}
	}
	return p.Population != nil
}

package cluster

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/hazard"
	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// HazardInput is the snapshot as the search for hazards takes it.
func (s *Snapshot) HazardInput() hazard.Input {
	return hazard.Input{
		Policies: s.Policies.Policies(), Facts: s.Facts, Namespaces: s.Namespaces,
		Complete: s.About.Kind == Live, Unread: s.About.Unread, Undiscovered: s.About.Undiscovered,
		Objects: s.Population.counted(), Kinds: hazardKinds(),
	}
}

// HazardRules are all rules by which hazards are found, in the order of the documentation.
func HazardRules() []hazard.Rule { return hazard.Rules(hazardKinds()...) }

// hazardKinds are the kinds of policy that know hazards of their own, which a compiler says by being a hazard.Kind.
// They find them in compiled policies, whatever compiled these.
var hazardKinds = sync.OnceValue(func() []hazard.Kind {
	var kinds []hazard.Kind
	for _, c := range newCompilers(release.Default) {
		if k, ok := c.(hazard.Kind); ok {
			kinds = append(kinds, k)
		}
	}
	return kinds
})

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

package cluster

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestDocumentsOfAPopulation finds an object as it was written by where the API server would
// store it; a Secret is not shown.
func TestDocumentsOfAPopulation(t *testing.T) {
	unpack(t, dump)
	p := populationOf(t, ".").Population
	for _, c := range []struct {
		resource, namespace, name string
		found                     bool
	}{
		{"pods", "team-a", "web", true}, {"pods", "default", "here", true}, {"pods", "team-a", "here", false},
		{"namespaces", "", "team-a", true}, {"secrets", "team-a", "token", false}, {"nodes", "", "web", false},
	} {
		u, ok := p.Document(schema.GroupVersionResource{Version: "v1", Resource: c.resource}, c.namespace, c.name)
		if ok != c.found || ok && u.GetName() != c.name {
			t.Errorf("%+v: found %t: %v", c, ok, u)
		}
	}
	for o := range p.Objects(schema.GroupVersionResource{Version: "v1", Resource: "pods"}) {
		if _, ok := p.Document(o.Resource, o.Namespace, o.Name); !ok {
			t.Errorf("there is no document of %s %s", o.Namespace, o.Name)
		}
	}
}

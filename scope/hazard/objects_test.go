package hazard_test

import (
	"bufio"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/scope/hazard"
)

// objects is a population in the plainest form there is: "v1/pods team-a app=web,tier=one".
// An object outside of namespaces has the namespace -, a Namespace its own name.
type objects struct {
	all    []object
	unread []schema.GroupVersionResource
}

type object struct {
	resource  schema.GroupVersionResource
	namespace string
	labels    labels.Set
}

func population(t *testing.T, parts map[string]string) objects {
	t.Helper()
	var all objects
	for s := bufio.NewScanner(strings.NewReader(parts["objects"])); s.Scan(); {
		words := strings.Fields(s.Text())
		if len(words) < 2 {
			t.Fatalf("%q is no object", s.Text())
		}
		o := object{resource: resource(t, words[0]), namespace: strings.TrimPrefix(words[1], "-")}
		if len(words) > 2 {
			var err error
			if o.labels, err = labels.ConvertSelectorToLabelsMap(words[2]); err != nil {
				t.Fatal(err)
			}
		}
		all.all = append(all.all, o)
	}
	for _, word := range strings.Fields(parts["unread"]) {
		all.unread = append(all.unread, resource(t, word))
	}
	return all
}

// resource reads apps/v1/deployments.
func resource(t *testing.T, text string) schema.GroupVersionResource {
	t.Helper()
	i := strings.LastIndex(text, "/")
	gv, err := schema.ParseGroupVersion(text[:max(i, 0)])
	if err != nil {
		t.Fatal(err)
	}
	return gv.WithResource(text[i+1:])
}

// Count implements hazard.Objects.
func (o objects) Count(q hazard.Query) (n int, known bool) {
	if slices.ContainsFunc(o.unread, q.Resource) {
		return 0, false
	}
	for _, one := range o.all {
		if !q.Resource(one.resource) || !q.Labels(one.labels) {
			continue
		}
		in, known := q.Namespace(one.namespace)
		if !known {
			return 0, false
		}
		if in {
			n++
		}
	}
	return n, true
}

// store puts the objects where those of a cluster are.
func (o objects) store() *coverage.Population {
	store := coverage.NewStore()
	for i, one := range o.all {
		stored := coverage.Object{Resource: one.resource, Namespace: one.namespace, Name: "object-" + strconv.Itoa(i), Labels: one.labels}
		if one.resource.Resource == "namespaces" {
			stored.Namespace, stored.Name = "", one.namespace
		}
		store.Put(stored)
	}
	return store.Snapshot()
}

// A query is asked once for each value, however many objects have it.
func TestPopulationAsksOnce(t *testing.T) {
	var all objects
	for i := range 1000 {
		all.all = append(all.all, object{
			resource: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, namespace: strconv.Itoa(i % 7), labels: labels.Set{"app": strconv.Itoa(i % 11)},
		})
	}
	resources, namespaces, sets := 0, 0, 0
	n, known := hazard.NewPopulation(all.store(), nil).Count(hazard.Query{
		Resource:  func(schema.GroupVersionResource) bool { resources++; return true },
		Namespace: func(name string) (in, known bool) { namespaces++; return name == "0", true },
		Labels:    func(set labels.Set) bool { sets++; return true },
	})
	// Of the numbers below 1000, those that seven divides are 0, 7 .. 994.
	if !known || n != 143 {
		t.Errorf("%d objects, known: %t", n, known)
	}
	if resources != 1 || namespaces != 7 || sets != 11 {
		t.Errorf("asked about %d resources, %d namespaces, %d label sets", resources, namespaces, sets)
	}
}

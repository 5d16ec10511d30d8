package coverage

import (
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope"
)

// changes are what has changed of the facts since the last result, as far as answers are
// remembered that depend on it.
type changes struct {
	known map[string]namespaceState
	// ids are the Namespaces that have changed and hold objects; others says that there are
	// more of them.
	ids    map[uint32]bool
	others bool
	params bool
}

// namespaceState is what layers see of a Namespace.
type namespaceState struct {
	presence scope.Presence
	object   *corev1.Namespace
}

func (s namespaceState) labels() map[string]string {
	if s.object == nil {
		return nil
	}
	return s.object.Labels
}

func newChanges() changes {
	return changes{known: map[string]namespaceState{}, ids: map[uint32]bool{}}
}

// namespaces reports whether any Namespace has changed.
func (c *changes) namespaces() bool { return c.others || len(c.ids) > 0 }

// any reports whether anything has changed.
func (c *changes) any() bool { return c.params || c.namespaces() }

// done forgets the changes, which a result has taken in.
func (c *changes) done() {
	clear(c.ids)
	c.others, c.params = false, false
}

var namespacesResource = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// note compares facts with those before: the Namespaces that hold objects of the
// population, and those that are objects of it.
func (c *changes) note(before, now *scope.Facts, pop *Population) {
	c.params = c.params || !same(before.Params, now.Params)
	for id, name := range pop.tables.namespaces.all() {
		if c.look(name, now) {
			c.ids[uint32(id)] = true
		}
	}
	if r := pop.row(namespacesResource); r != nil {
		for _, b := range r.blocks {
			for _, name := range b.names {
				c.others = c.look(name, now) || c.others
			}
		}
	}
}

// look reports whether a Namespace is seen to be another than before.
func (c *changes) look(name string, facts *scope.Facts) bool {
	if name == "" {
		return false
	}
	now := namespaceState{}
	if facts.Namespaces != nil {
		now.object, now.presence = facts.Namespaces.Namespace(name)
	}
	before, ok := c.known[name]
	if ok && before == now {
		return false
	}
	c.known[name] = now
	return !ok || before.presence != now.presence || !maps.Equal(before.labels(), now.labels())
}

// same reports whether two values are the same one, as far as that can be told.
func same(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.TypeOf(a).Comparable() && a == b
}

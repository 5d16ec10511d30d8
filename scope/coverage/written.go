package coverage

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope"
)

// What the API server writes into an object on its way is not in the object that exists.
// This file leaves it open as the package scope/request does for an object that somebody
// pastes, so that a population and a pasted object get the same answers. A test holds the
// two together.

// wiped are the fields of metadata that are removed from an object that is created.
var wiped = []string{"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

// system are the fields of metadata that only the API server writes.
var system = []string{"uid", "creationTimestamp", "resourceVersion", "generation"}

const (
	writtenThere = "what the API server writes there"
	statusThere  = "the status that the API server writes"
)

// beforeWebhooks and betweenHalves are what the API server writes into a new object unless
// the object has it.
var (
	beforeWebhooks = map[string][]string{
		"/Pod": {"spec.serviceAccountName", "spec.serviceAccount", "spec.priority", "spec.priorityClassName", "spec.preemptionPolicy"},
	}
	betweenHalves = map[string][]string{
		"/Namespace": {"spec.finalizers"},
		"/Service":   {"spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy", "spec.healthCheckNodePort"},
		"batch/Job":  {"spec.selector", "spec.template.metadata.labels"},
	}
)

// gap is a part of a request that is open, unless the object settles it.
type gap struct {
	scope.Missing
	// path is the path of Missing, taken apart.
	path []string
	// validating says that it is open in the validating half of admission alone.
	validating bool
	// field is the path in the object that settles it: by being there, or, if absent is set,
	// by not being there. Empty settles nothing.
	field  []string
	absent bool
}

// gapsOf lists what is open in the requests for objects of a kind.
func gapsOf(kind schema.GroupVersionKind, hasStatus bool, operation admission.Operation) []gap {
	var all []gap
	add := func(side, field, fact string, validating, settled bool) {
		g := gap{Missing: scope.Missing{Path: side + "." + field, Fact: fact}, validating: validating}
		if settled {
			g.field = strings.Split(field, ".")
		}
		all = append(all, g)
	}
	switch operation {
	case admission.Create:
		add("object", "metadata.managedFields", writtenThere, false, true)
		for _, field := range []string{"uid", "creationTimestamp", "generation"} {
			add("object", "metadata."+field, writtenThere, true, false)
		}
		name := kind.Group + "/" + kind.Kind
		for _, field := range beforeWebhooks[name] {
			add("object", field, writtenThere, false, true)
		}
		for _, field := range betweenHalves[name] {
			add("object", field, writtenThere, true, true)
		}
		if hasStatus {
			add("object", "status", statusThere, true, false)
		}
	case admission.Update:
		for _, field := range system {
			add("object", "metadata."+field, writtenThere, false, true)
			add("oldObject", "metadata."+field, writtenThere, false, true)
		}
		add("oldObject", "metadata.managedFields", writtenThere, false, true)
		add("object", "metadata.managedFields", writtenThere, false, false)
		all = append(all, gap{Missing: scope.Missing{Path: "object.metadata.generation", Fact: writtenThere}, validating: true, field: []string{"metadata", "generation"}, absent: true})
	case admission.Delete:
		for _, field := range append(slices.Clone(system), "managedFields") {
			add("oldObject", "metadata."+field, writtenThere, false, true)
		}
	}
	for i := range all {
		all[i].path = scope.SplitPath(all[i].Path)
	}
	return all
}

// settled reports whether the object leaves nothing open there.
func (g gap) settled(object map[string]any) bool {
	if g.field == nil {
		return false
	}
	value, ok, err := unstructured.NestedFieldNoCopy(object, g.field...)
	return (ok && err == nil && value != nil) != g.absent
}

// wipe removes what the API server removes from an object that is created, and reports
// whether there was any of it.
func wipe(object map[string]any) bool {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return false
	}
	before := len(metadata)
	for _, field := range wiped {
		delete(metadata, field)
	}
	return len(metadata) < before
}

// Package builtin knows what a Kubernetes API server serves without any add-on: its resources and the values that it
// fills into objects before admission sees them. Both were written down from a real server, so that Ambit can explain
// a request with no cluster at hand.
package builtin

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

//go:generate sh -c "cd ../../conformance/kubernetes && go run ./cmd/snapshot"

// Version is the version of the Kubernetes API server that this package describes.
const Version = "1.37.2"

//go:embed resources.json
var resourcesJSON []byte

// Resource is one resource or subresource that an API server of Version serves without any add-on.
type Resource struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource,omitempty"`
	// Kind is the kind of the object of a request, which for a subresource often is not the kind of the resource.
	Kind       schema.GroupVersionKind `json:"kind"`
	Namespaced bool                    `json:"namespaced"`
	Verbs      []string                `json:"verbs"`
	ShortNames []string                `json:"shortNames,omitempty"`
	Singular   string                  `json:"singular,omitempty"`
}

// document is the content of resources.json.
type document struct {
	Version    string                   `json:"version"`
	Cohabiting [][]schema.GroupResource `json:"cohabiting"`
	Resources  []Resource               `json:"resources"`
}

// load reads resources.json once. The file is part of the program, so a file that cannot be read is a broken build.
var load = sync.OnceValue(func() document {
	var d document
	if err := json.Unmarshal(resourcesJSON, &d); err != nil {
		panic(fmt.Sprintf("builtin: read resources.json: %v", err))
	}
	return d
})

// Resources returns all resources and subresources in the order in which the server registered them, which is the
// order in which matchPolicy Equivalent tries the versions of a resource (k8s.io/apimachinery/pkg/runtime,
// EquivalentResourceRegistry). The slice is shared and must not be modified.
func Resources() []Resource { return load().Resources }

// Cohabiting lists the group resources that share storage although their groups differ, and are therefore equivalent
// to each other (k8s.io/kubernetes/pkg/kubeapiserver/default_storage_factory_builder.go, AddCohabitatingResources).
// The slice is shared and must not be modified.
func Cohabiting() [][]schema.GroupResource { return load().Cohabiting }

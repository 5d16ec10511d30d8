package apiserver

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Registration is one resource or subresource as the API installer made it known for matchPolicy Equivalent
// (k8s.io/apiserver/pkg/endpoints/installer.go, registerResourceHandlers).
type Registration struct {
	Resource    schema.GroupVersionResource
	Subresource string
	Kind        schema.GroupVersionKind
}

// recorder keeps the order of all registrations. The registry behind it cannot list what it holds, and discovery
// sorts, so nothing else tells the order in which Equivalent tries the versions of a resource.
type recorder struct {
	mu            sync.Mutex
	registrations []Registration
}

// recordingRegistry writes to the recorder what the registry of one server of the delegation chain is told.
type recordingRegistry struct {
	runtime.EquivalentResourceRegistry
	to *recorder
}

// RegisterKindFor implements runtime.EquivalentResourceRegistry.
func (r recordingRegistry) RegisterKindFor(resource schema.GroupVersionResource, subresource string, kind schema.GroupVersionKind) {
	r.to.mu.Lock()
	r.to.registrations = append(r.to.registrations, Registration{Resource: resource, Subresource: subresource, Kind: kind})
	r.to.mu.Unlock()
	r.EquivalentResourceRegistry.RegisterKindFor(resource, subresource, kind)
}

// Registrations returns what the server registered, in order. The API installer goes through the servers of the
// delegation chain (apiextensions, kube, aggregation), there through the groups (pkg/controlplane/instance.go,
// StorageProviders), the versions of a group in the order of its scheme's priorities (genericapiserver.go,
// InstallAPIGroups), and the paths of a version in alphabetical order (installer.go, Install).
func (s *Server) Registrations() []Registration {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return slices.Clone(s.recorder.registrations)
}

// Equivalents returns what matchPolicy Equivalent tries for a resource, itself included. Only the kube server of the
// chain has resources with more than one version or group.
func (s *Server) Equivalents(resource schema.GroupVersionResource) []schema.GroupVersionResource {
	return s.kube.EquivalentResourcesFor(resource, "")
}

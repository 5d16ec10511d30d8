package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/ambit-k8s/ambit/conformance/kubernetes/apiserver"
	"github.com/ambit-k8s/ambit/scope/builtin"
)

// builtinResources joins the two things that a server says about a resource: the registration, for kind and order,
// and discovery, for the rest.
func builtinResources(server *apiserver.Server) ([]builtin.Resource, error) {
	served, err := discovered(server)
	if err != nil {
		return nil, err
	}
	var resources []builtin.Resource
	for _, r := range server.Registrations() {
		name := path(r)
		d, ok := served[r.Resource.GroupVersion()][name]
		if !ok {
			return nil, fmt.Errorf("%s is registered but not in discovery", r.Resource.GroupVersion().String()+"/"+name)
		}
		kind := schema.GroupVersionKind{
			Group:   cmp.Or(d.Group, r.Resource.Group),
			Version: cmp.Or(d.Version, r.Resource.Version),
			Kind:    d.Kind,
		}
		if kind != r.Kind {
			return nil, fmt.Errorf("%s: registered as %v, but discovery says %v", name, r.Kind, kind)
		}
		if r.Subresource != "" {
			d.SingularName = "" // The client's conversion of aggregated discovery copies that of the resource.
		}
		resources = append(resources, builtin.Resource{
			Group:       r.Resource.Group,
			Version:     r.Resource.Version,
			Resource:    r.Resource.Resource,
			Subresource: r.Subresource,
			Kind:        r.Kind,
			Namespaced:  d.Namespaced,
			Verbs:       d.Verbs,
			ShortNames:  d.ShortNames,
			Singular:    d.SingularName,
		})
	}
	return resources, nil
}

// path is the name of a registration in discovery.
func path(r apiserver.Registration) string {
	return strings.TrimSuffix(r.Resource.Resource+"/"+r.Subresource, "/")
}

// discovered asks for the resource lists of all group versions, by their names.
func discovered(server *apiserver.Server) (map[schema.GroupVersion]map[string]metav1.APIResource, error) {
	client, err := discovery.NewDiscoveryClientForConfig(server.Config)
	if err != nil {
		return nil, fmt.Errorf("make discovery client: %w", err)
	}
	_, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return nil, fmt.Errorf("discover resources: %w", err)
	}
	served := map[schema.GroupVersion]map[string]metav1.APIResource{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, fmt.Errorf("read discovery: %w", err)
		}
		served[version] = map[string]metav1.APIResource{}
		for _, resource := range list.APIResources {
			served[version][resource.Name] = resource
		}
	}
	return served, nil
}

// cohabiting asks the server's own registry, resource by resource, for equivalents with another group or name.
func cohabiting(server *apiserver.Server) [][]schema.GroupResource {
	var sets [][]schema.GroupResource
	seen := map[schema.GroupResource]bool{}
	for _, r := range server.Registrations() {
		if seen[r.Resource.GroupResource()] || r.Subresource != "" {
			continue
		}
		var set []schema.GroupResource
		for _, equivalent := range server.Equivalents(r.Resource) {
			set = append(set, equivalent.GroupResource())
			seen[equivalent.GroupResource()] = true
		}
		if set = slices.Compact(set); len(set) > 1 {
			sets = append(sets, set)
		}
	}
	return sets
}

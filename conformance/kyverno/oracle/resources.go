package oracle

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// Discovery says what a set of resources looks like in the API server's discovery.
func Discovery(set *resource.Set) []*metav1.APIResourceList {
	var lists []*metav1.APIResourceList
	byVersion := map[string]*metav1.APIResourceList{}
	for _, r := range set.All() {
		if !r.Served {
			continue
		}
		version := r.GroupVersionResource.GroupVersion()
		list := byVersion[version.String()]
		if list == nil {
			list = &metav1.APIResourceList{GroupVersion: version.String()}
			byVersion[version.String()] = list
			lists = append(lists, list)
		}
		served := metav1.APIResource{
			Name: r.Resource, Kind: r.Kind.Kind, Namespaced: r.Namespaced, Verbs: r.Verbs,
			SingularName: r.Singular, ShortNames: r.ShortNames,
		}
		if r.Subresource != "" {
			served.Name += "/" + r.Subresource
		}
		// Discovery leaves out what is that of the list.
		if r.Kind.GroupVersion() != version {
			served.Group, served.Version = r.Kind.Group, r.Kind.Version
		}
		list.APIResources = append(list.APIResources, served)
	}
	return lists
}

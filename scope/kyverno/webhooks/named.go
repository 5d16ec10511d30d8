package webhooks

import (
	"strings"
	"sync"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// namedBy lists the resources that the rules name, each once; known is false if they may name others, too: by a
// wildcard, or by a name that is not among the resources.
func (b *builder) namedBy(rules []v1.RuleWithOperations) (found []resource.Resource, known bool) {
	known = true
	seen := map[resourceKey]bool{}
	for _, r := range rules {
		for _, name := range r.Resources {
			name, sub, _ := strings.Cut(name, "/")
			for _, group := range r.APIGroups {
				for _, version := range r.APIVersions {
					res, ok := b.lookup(schema.GroupVersionResource{Group: group, Version: version, Resource: name}, sub)
					if !ok {
						known = false
					} else if key := (resourceKey{res.GroupVersionResource, sub}); !seen[key] {
						seen[key] = true
						found = append(found, res)
					}
				}
			}
		}
	}
	return found, known
}

// anyServer has what every API server serves.
var anyServer = sync.OnceValue(func() *resource.Set { return resource.NewSet(resource.Builtin(), nil) })

type resourceKey struct {
	schema.GroupVersionResource
	sub string
}

// lookup finds a resource among those of the cluster, or of any API server where these are not known.
func (b *builder) lookup(gvr schema.GroupVersionResource, sub string) (resource.Resource, bool) {
	if gvr.Group == "*" || gvr.Version == "*" || gvr.Resource == "*" || sub == "*" {
		return resource.Resource{}, false
	}
	set := b.in.Resources
	if set == nil {
		set = anyServer()
	}
	return set.Find(gvr, sub)
}

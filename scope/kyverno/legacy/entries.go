package legacy

import (
	v1 "k8s.io/api/admissionregistration/v1"
)

// entry is a resource and an operation that a webhook is asked about. Parts may be "*".
type entry struct {
	group, version, resource, subresource string
	scope                                 v1.ScopeType
	operation                             v1.OperationType
}

type entries map[entry]struct{}

// covered reports whether another entry says all that this one says (pkg/controllers/webhook/utils_webhook.go,
// hasRule). A star for resources covers no subresources, */* does.
func (all entries) covered(e entry) bool {
	for _, scope := range widened(e.scope, v1.AllScopes) {
		for _, group := range widened(e.group, "*") {
			for _, version := range widened(e.version, "*") {
				for _, name := range wider(e.resource, e.subresource) {
					w := entry{group, version, name[0], name[1], scope, e.operation}
					if _, ok := all[w]; ok && w != e {
						return true
					}
				}
			}
		}
	}
	return false
}

func widened[T comparable](part, all T) []T {
	if part == all {
		return []T{part}
	}
	return []T{part, all}
}

// wider are the names of resources and subresources that cover one, itself first.
func wider(resource, subresource string) [][2]string {
	var names [][2]string
	if subresource == "" {
		for _, r := range widened(resource, "*") {
			names = append(names, [2]string{r, ""})
		}
		return append(names, [2]string{"*", "*"})
	}
	for _, r := range widened(resource, "*") {
		for _, s := range widened(subresource, "*") {
			names = append(names, [2]string{r, s})
		}
	}
	return names
}

package webhooks

import (
	"strings"

	"github.com/ambit-k8s/ambit/scope/kyverno/release"
)

// Names reports whether a path at which Kyverno is called names a policy that is written in CEL. It has no namespace: a
// path for namespaced policies names all of that name.
func Names(path string, mutating bool, r Ref, rel release.Release) bool {
	for _, c := range calls(rel) {
		if c.kind != r.Kind || c.mutating != mutating {
			continue
		}
		names, ok := strings.CutPrefix(path, c.path+"/")
		for _, name := range strings.Split(names, "/") {
			if ok && name == r.Name {
				return true
			}
		}
	}
	return false
}

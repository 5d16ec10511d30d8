package flow

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

// witness makes a request that falls in the schema out of what earlier ones leave, also
// those of which it is not known whether they count.
func (st *study) witness() *Digest {
	for _, rule := range st.rules {
		for i := range rule.fates {
			f := &rule.fates[i]
			if f.sure.complete() || f.sure.tooMany || f.open.tooMany {
				continue
			}
			for _, left := range f.open.left {
				if d := left.witness(f); d != nil {
					return d
				}
			}
		}
	}
	return nil
}

// witness is one request of a box; nil if that would have to be one that is long-running.
func (b box) witness(f *fate) *Digest {
	d := f.persona.Digest
	if f.forURL() {
		d.Verb = b[inVerb].one("get", "post", "put", "patch", "delete", "head", "options")
		d.Path = b[inResource].listed[0]
		return &d
	}
	d.Verb = b[inVerb].one(apiVerbs...)
	d.APIGroup = b[inGroup].one("", "apps", "batch", "example.com")
	resources := []string{"things"}
	switch d.APIGroup {
	case "":
		resources = []string{"pods", "configmaps", "services", "secrets"}
	case "apps":
		resources = []string{"deployments", "statefulsets", "daemonsets"}
	}
	d.Resource, d.Subresource, _ = strings.Cut(b[inResource].one(resources...), "/")
	places := []string{"default", "some-namespace", ""}
	if namespace, _, err := serviceaccount.SplitUsername(d.User); err == nil {
		places = slices.Insert(places, 0, namespace)
	}
	d.Namespace = b[inPlace].one(places...)
	if d.bypasses() {
		return nil
	}
	return &d
}

// one picks a member of a set, if possible one that is proposed.
func (t tokens) one(proposed ...string) string {
	for _, s := range proposed {
		if t.has(s) {
			return s
		}
	}
	if !t.except {
		return t.listed[0]
	}
	for i := 2; ; i++ {
		if s := fmt.Sprintf("another-%d", i); t.has(s) {
			return s
		}
	}
}

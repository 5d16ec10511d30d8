package request

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/resource"
)

// wrong says what is wrong and the way out, before it is said where it stands.
type wrong struct{ message, hint string }

// findType finds the resource that kubectl takes a word for: a plural, a singular, a kind
// or a short name, maybe with a group and a version (k8s.io/client-go/restmapper). Others
// are the resources that the word means, too, and which it was not taken for.
func findType(known *resource.Set, word string) (found resource.Resource, others []resource.Resource, problem *wrong) {
	full, short := schema.ParseResourceArg(strings.ToLower(word))
	if full != nil {
		if all := named(known, full.Resource, func(r *resource.Resource) bool { return r.Group == full.Group && r.Version == full.Version }); len(all) > 0 {
			return all[0], nil, nil
		}
	}
	all := named(known, short.Resource, func(r *resource.Resource) bool { return short.Group == "" || r.Group == short.Group })
	if len(all) == 0 && short.Group != "" {
		// The beginning of a group is enough.
		all = named(known, short.Resource, func(r *resource.Resource) bool { return strings.HasPrefix(r.Group, short.Group) })
	}
	if len(all) == 0 {
		return found, nil, unknownType(known, word, short.Resource)
	}
	i := max(0, slices.IndexFunc(all, func(r resource.Resource) bool { return r.Group == "" }))
	found = all[i]
	for _, r := range all {
		if r.GroupResource() != found.GroupResource() {
			others = append(others, r)
		}
	}
	return found, others, nil
}

// named returns the served resources with a name, one for each group. A plural, a singular
// or a kind goes before a short name.
func named(known *resource.Set, name string, in func(*resource.Resource) bool) []resource.Resource {
	var byName, byShort []resource.Resource
	for _, r := range known.All() {
		switch {
		case r.Subresource != "" || !r.Served || !in(&r):
		case name == r.GroupVersionResource.Resource || name == r.Singular || name == strings.ToLower(r.Kind.Kind):
			byName = appendNew(byName, r)
		case slices.Contains(r.ShortNames, name):
			byShort = appendNew(byShort, r)
		}
	}
	if len(byName) > 0 {
		return byName
	}
	return byShort
}

// appendNew appends a resource unless another version of it is there.
func appendNew(to []resource.Resource, r resource.Resource) []resource.Resource {
	if slices.ContainsFunc(to, func(one resource.Resource) bool { return one.GroupResource() == r.GroupResource() }) {
		return to
	}
	return append(to, r)
}

func unknownType(known *resource.Set, word, name string) *wrong {
	const wayOut = "add its CustomResourceDefinition to the cluster (with -f), or paste a SubjectAccessReview, which names the resource itself"
	w := &wrong{message: fmt.Sprintf("the resource type %q is not known", word), hint: wayOut}
	if name == "all" {
		return &wrong{"kubectl asks for each resource of \"all\" in a request of its own", "say one of them, such as pods"}
	}
	var names []string
	for _, r := range known.All() {
		if r.Subresource == "" && r.Served {
			names = append(names, r.GroupVersionResource.Resource, r.Singular)
			names = append(names, r.ShortNames...)
		}
	}
	if like := near(name, names); len(like) > 0 {
		w.hint = "near is " + strings.Join(like, ", ") + "; otherwise " + wayOut
	}
	return w
}

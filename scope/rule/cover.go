package rule

import (
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
)

// The algebra of rules rests on one property of them: a rule is a product of lists whose
// entries are a literal or a wildcard. A request in whose place a wildcard meets a name
// that no rule mentions is therefore typical of its entry: whichever rule matches it,
// matches it by a wildcard and so matches all that the entry does. Asking the API server's
// matcher about the typical requests of a rule says what is true of all its requests.
//
// The one exception to the product is the scope of core/v1 namespaces, which is Cluster
// although requests for them carry a namespace; the typical requests mind it.
//
// These are statements about the rules as they stand, over all resources that there could
// be: matchPolicy Equivalent and the resources of one server are not in them.

// Typical is one request that stands for all the requests of an entry of a rule.
type Typical struct {
	Operation   admission.Operation
	Resource    schema.GroupVersionResource
	Subresource string
	// Namespaced says that the request is for an object in a namespace.
	Namespaced bool
	Name       string
}

// Attributes is the request in the form in which the API server's matcher takes it.
func (r Typical) Attributes() admission.Attributes {
	namespace := ""
	switch {
	case r.Namespaced:
		namespace = fresh
	case r.Resource == namespaces:
		namespace = r.Name
	}
	return admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, namespace, r.Name, r.Resource, r.Subresource, r.Operation, nil, false, nil)
}

// fresh is a name that no rule mentions: it is none that an API server accepts.
const fresh = "\x00"

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// operations of admission; "*" stands for these.
var everyOperation = []v1.OperationType{v1.Create, v1.Update, v1.Delete, v1.Connect}

// Covers reports whether one of the rules matches, for every request that a rule matches.
// If not, it returns a request that the rule matches and none of the others.
func Covers(rules []v1.NamedRuleWithOperations, r v1.NamedRuleWithOperations) (covers bool, witness Typical) {
	for t := range typical(entriesOf(r)) {
		attr := t.Attributes()
		if !MatchesOne(r, attr) {
			continue
		}
		if !slices.ContainsFunc(rules, func(other v1.NamedRuleWithOperations) bool { return MatchesOne(other, attr) }) {
			return false, t
		}
	}
	return true, Typical{}
}

// CoversAll reports whether a list of rules matches every request that another list
// matches. If not, it returns a request that tells.
func CoversAll(rules, others []v1.NamedRuleWithOperations) (covers bool, witness Typical) {
	for _, r := range others {
		if ok, witness := Covers(rules, r); !ok {
			return false, witness
		}
	}
	return true, Typical{}
}

// Common returns a request that both rules match, if there is any.
func Common(a, b v1.NamedRuleWithOperations) (witness Typical, found bool) {
	for t := range typical(entriesOf(a).meet(entriesOf(b))) {
		if attr := t.Attributes(); MatchesOne(a, attr) && MatchesOne(b, attr) {
			return t, true
		}
	}
	return Typical{}, false
}

// Disjoint reports whether no request matches both rules.
func Disjoint(a, b v1.NamedRuleWithOperations) bool {
	_, found := Common(a, b)
	return !found
}

// Never reports whether no request can match the rule, whatever the server serves.
func Never(r v1.NamedRuleWithOperations) bool { return Disjoint(r, r) }

// MatchesOne asks the API server's matcher about one rule, and about its names.
func MatchesOne(r v1.NamedRuleWithOperations, attr admission.Attributes) bool {
	return matches(r, attr) && named(r, attr.GetName())
}

// entries are the lists of a rule, with fresh for a wildcard.
type entries struct {
	groups, versions []string
	// resources have a resource and a subresource.
	resources  [][2]string
	operations []v1.OperationType
	names      []string
}

func entriesOf(r v1.NamedRuleWithOperations) entries {
	e := entries{groups: wild(r.APIGroups), versions: wild(r.APIVersions), names: []string{fresh}}
	for _, entry := range r.Resources {
		resource, subresource, _ := strings.Cut(entry, "/")
		e.resources = appendOnce(e.resources, [2]string{wildcard(resource), wildcard(subresource)})
	}
	for _, o := range r.Operations {
		if o == v1.OperationAll {
			e.operations = everyOperation
			break
		}
		if slices.Contains(everyOperation, o) {
			e.operations = appendOnce(e.operations, o)
		}
	}
	if len(r.ResourceNames) > 0 {
		e.names = r.ResourceNames
	}
	return e
}

func wildcard(word string) string {
	if word == "*" {
		return fresh
	}
	return word
}

func wild(words []string) []string {
	var all []string
	for _, w := range words {
		all = appendOnce(all, wildcard(w))
	}
	return all
}

func appendOnce[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// meet is what two lists have in common, dimension by dimension.
func (e entries) meet(o entries) entries {
	both := entries{groups: meet(e.groups, o.groups), versions: meet(e.versions, o.versions), names: meet(e.names, o.names)}
	for _, a := range e.resources {
		for _, b := range o.resources {
			resource, ok := meetOne(a[0], b[0])
			subresource, also := meetOne(a[1], b[1])
			if ok && also {
				both.resources = appendOnce(both.resources, [2]string{resource, subresource})
			}
		}
	}
	for _, operation := range e.operations {
		if slices.Contains(o.operations, operation) {
			both.operations = append(both.operations, operation)
		}
	}
	return both
}

func meet(a, b []string) []string {
	var both []string
	for _, x := range a {
		for _, y := range b {
			if z, ok := meetOne(x, y); ok {
				both = appendOnce(both, z)
			}
		}
	}
	return both
}

// meetOne is what two entries have in common: a wildcard leaves the other one as it is.
func meetOne(a, b string) (string, bool) {
	switch {
	case a == fresh:
		return b, true
	case b == fresh || a == b:
		return a, true
	}
	return "", false
}

package views

import (
	"net/url"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// NoNamespace stands in an address for the objects that are in no namespace. No namespace
// can be called so.
const NoNamespace = "-"

// Asked is what an address says about the writes in question.
type Asked struct {
	Operation, As string
	Groups        []string
}

// ByResource is the value of CoverageQuery.By for a matrix with a row for each resource.
const ByResource = "resource"

// CoverageQuery is what the address of the coverage page says.
type CoverageQuery struct {
	Asked
	By string
	// Kind, Policy and Row narrow the matrix: to a kind of policy, to policies and to rows
	// with all words of a text.
	Kind, Policy, Row string
	// Gaps leaves out the policies that reach all they could, and the rows that every policy
	// wholly reaches.
	Gaps bool
	Sort string
	// RowPage and ColumnPage choose the window of the table for a browser without scripts.
	RowPage, ColumnPage int
}

// values writes what was asked into an address.
func (a Asked) values() url.Values {
	v := url.Values{}
	set(v, "operation", a.Operation)
	set(v, "as", a.As)
	for _, g := range a.Groups {
		v.Add("as-group", g)
	}
	return v
}

func set(v url.Values, name, value string) {
	if value != "" {
		v.Set(name, value)
	}
}

// href is a path with a query, or without one if that is empty.
func href(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// Href is the address of the matrix.
func (q CoverageQuery) Href() string { return href("/coverage", q.values()) }

func (q CoverageQuery) values() url.Values {
	v := q.Asked.values()
	set(v, "by", q.By)
	set(v, "kind", q.Kind)
	set(v, "policy", q.Policy)
	set(v, "row", q.Row)
	set(v, "sort", q.Sort)
	if q.Gaps {
		v.Set("gaps", "true")
	}
	if q.RowPage > 0 {
		v.Set("rows", strconv.Itoa(q.RowPage))
	}
	if q.ColumnPage > 0 {
		v.Set("columns", strconv.Itoa(q.ColumnPage))
	}
	return v
}

// Export is the address of the same table as a file.
func (q CoverageQuery) Export(format string) string {
	v := q.values()
	v.Set("format", format)
	return href("/coverage", v)
}

// Filtered reports whether the query leaves anything out.
func (q CoverageQuery) Filtered() bool {
	return q.Kind != "" || q.Policy != "" || q.Row != "" || q.Gaps
}

// CellHref is the address of the objects behind a cell of the matrix.
func CellHref(a Asked, policy, by, row string) string {
	v := a.values()
	v.Set("policy", policy)
	if by == "" {
		by = "namespace"
	}
	v.Set(by, row)
	return href("/coverage/cell", v)
}

// NamespaceHref is the address of what applies in a namespace.
func NamespaceHref(a Asked, namespace string) string {
	return href("/coverage/namespaces/"+url.PathEscape(orNone(namespace)), a.values())
}

// ObjectHref is the address of what applies to an object.
func ObjectHref(a Asked, o coverage.Object) string {
	path := []string{"/coverage/objects", o.Resource.GroupResource().String(), orNone(o.Namespace), url.PathEscape(o.Name)}
	return href(strings.Join(path, "/"), a.values())
}

// ExploreHref is the address of the explore page with an object in it; empty where the object
// cannot be had as a whole.
func ExploreHref(a Asked, o coverage.Object, contents bool) string {
	if !contents || o.Resource.GroupResource() == (schema.GroupResource{Resource: "secrets"}) {
		return ""
	}
	v := a.values()
	v.Set("object", strings.Join([]string{o.Resource.GroupResource().String(), orNone(o.Namespace), o.Name}, "/"))
	return href("/explore", v)
}

func orNone(namespace string) string {
	if namespace == "" {
		return NoNamespace
	}
	return namespace
}

package kyverno_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/kyverno"
	"github.com/ambit-k8s/ambit/scope/manifest"
	"github.com/ambit-k8s/ambit/scope/request"
	"github.com/ambit-k8s/ambit/scope/resource"
)

// namespaces are the Namespaces of a cluster; there are no others.
type namespaces map[string]*corev1.Namespace

func (n namespaces) Namespace(name string) (*corev1.Namespace, scope.Presence) {
	if ns, ok := n[name]; ok {
		return ns, scope.Present
	}
	return nil, scope.Absent
}

// cluster is what stands in manifests.
type cluster struct {
	objects scope.Objects
	facts   *scope.Facts
}

// load reads manifests as a cluster.
func load(t testing.TB, text string) *cluster {
	t.Helper()
	documents, problems := manifest.Read("cluster.yaml", []byte(text), 0)
	for _, p := range problems {
		t.Fatal(p)
	}
	known := namespaces{}
	of := map[schema.GroupKind][]runtime.Object{}
	for _, d := range documents {
		typed, problems := d.Typed()
		for _, p := range problems {
			t.Fatal(p)
		}
		if ns, ok := typed.(*corev1.Namespace); ok {
			known[ns.Name] = ns
		}
		gk := d.Object.GroupVersionKind().GroupKind()
		of[gk] = append(of[gk], typed)
	}
	resources := resource.NewSet(resource.Builtin(), builtin.Cohabiting())
	return &cluster{
		objects: scope.Objects{
			Of: of, Resources: resources,
			Complete: func(schema.GroupKind) bool { return true },
			Origin:   func(schema.GroupKind, string, string) string { return "cluster.yaml" },
		},
		facts: &scope.Facts{Namespaces: known, Resources: resources, Version: version.MustParse(builtin.Version)},
	}
}

// ask reads a request.
func (c *cluster) ask(t testing.TB, text string) *scope.Request {
	t.Helper()
	documents, problems := manifest.Read("request.yaml", []byte(text), 0)
	derived, more := request.Derive(documents, request.Ask{}, c.facts)
	for _, p := range append(problems, more...) {
		t.Fatal(p)
	}
	return derived.Request
}

// explain asks the policies that a compiler makes about a request.
func (c *cluster) explain(t testing.TB, compiler *kyverno.Compiler, r *scope.Request) []*scope.Trace {
	t.Helper()
	policies := compiler.Policies(c.objects)
	if report := kyverno.ReportOf(policies); len(report.Unreadable) > 0 {
		t.Fatal(report.Unreadable)
	}
	traces, err := scope.NewSet(policies).Explain(t.Context(), r, c.facts)
	if err != nil {
		t.Fatal(err)
	}
	return traces
}

// trace finds the trace of a policy by its kind and its name, with the namespace before it if it is in one.
func trace(t testing.TB, traces []*scope.Trace, id string) *scope.Trace {
	t.Helper()
	for _, tr := range traces {
		if tr.Policy.ID() == id {
			return tr
		}
	}
	t.Fatalf("no policy %s", id)
	return nil
}

// words writes all reasons of a trace, a line for each.
func words(t testing.TB, tr *scope.Trace) string {
	t.Helper()
	var lines []string
	for i, step := range tr.Steps(t.Context()) {
		if step.Aside {
			continue
		}
		lines = append(lines, string(tr.Policy.Layers[i].Name())+" "+string(step.Outcome))
		for _, r := range tr.Reasons(t.Context(), i) {
			lines = append(lines, "  "+strings.Join([]string{r.Field, r.Want, r.Got, r.Message}, " | "))
		}
	}
	return strings.Join(lines, "\n")
}

package cluster

import (
	"testing"

	"github.com/ambit-k8s/ambit/scope/builtin"
	"github.com/ambit-k8s/ambit/scope/resource"
)

func TestChoose(t *testing.T) {
	all := func(group, version, name, short string, verbs ...string) resource.Resource {
		r := resource.Resource{Served: true, Verbs: verbs, ShortNames: []string{short}, Singular: name[:len(name)-1]}
		r.Group, r.Version, r.Resource = group, version, name
		r.Kind.Kind = "Kind"
		return r
	}
	stored := []string{"create", "list", "watch"}
	served := []resource.Resource{
		all("autoscaling", "v1", "horizontalpodautoscalers", "hpa", stored...),
		all("autoscaling", "v2", "horizontalpodautoscalers", "hpa", stored...),
		all("autoscaling", "v2beta2", "horizontalpodautoscalers", "hpa", stored...),
		all("events.k8s.io", "v1", "events", "ev", stored...),
		all("", "v1", "events", "ev", stored...),
		all("example.com", "v1", "widgets", "wd"),
		all("metrics.k8s.io", "v1", "pods", "po", "get", "list"),
		all("authentication.k8s.io", "v1", "tokenreviews", "", "create"),
		all("batch", "v1", "jobs", "", "delete", "list", "watch"),
	}
	unserved := all("example.com", "v2", "widgets", "wd")
	unserved.Served = false
	status := all("example.com", "v1", "widgets", "wd")
	status.Subresource = "status"
	set := resource.NewSet(append(served, unserved, status), builtin.Cohabiting())

	for _, tc := range []struct {
		name    string
		leave   []string
		leftOut []string
	}{
		{"nothing left out", nil, nil},
		{"plural", []string{"events"}, []string{"events"}},
		{"with the group", []string{"jobs.batch"}, []string{"jobs.batch"}},
		{"another group", []string{"jobs.example.com"}, nil},
		{"short name and singular", []string{"HPA", " widget "}, []string{"horizontalpodautoscalers.autoscaling", "widgets.example.com"}},
		{"empty", []string{""}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var versions, leftOut []string
			for _, c := range choose(set, PopulationOptions{LeaveOut: tc.leave}) {
				versions = append(versions, c.GroupResource().String()+" "+c.Version)
				if c.leftOut != "" {
					leftOut = append(leftOut, c.GroupResource().String())
				}
			}
			wantAll(t, "resources", versions, "events v1", "horizontalpodautoscalers.autoscaling v2", "jobs.batch v1", "widgets.example.com v1")
			wantAll(t, "left out", leftOut, tc.leftOut...)
		})
	}
}

func TestParsePopulationDepth(t *testing.T) {
	for _, text := range []string{"full", "metadata", "off"} {
		if depth, err := ParsePopulationDepth(text); err != nil || string(depth) != text || (PopulationOptions{Depth: depth}).on() != (text != "off") {
			t.Errorf("%s: depth is %q, error %v", text, depth, err)
		}
	}
	if _, err := ParsePopulationDepth("none"); err == nil || err.Error() != `"none" is not one of full, metadata and off` {
		t.Errorf("error is %v", err)
	}
}

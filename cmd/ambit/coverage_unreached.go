package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ambit-k8s/ambit/scope/coverage"
)

// unreached writes the objects that no policy reaches, counted by resource and namespace.
func (t *text) unreached(a coverageAnswer) {
	reach := a.Reach()
	if reach.Reached+reach.Unknown+reach.Unreached == 0 {
		return
	}
	if reach.Unreached == 0 {
		t.line(0, "\n%s", t.paint(bold, "Every object is reached by some policy"+perhaps(reach.Unknown)))
		return
	}
	t.line(0, "\n%s", t.paint(bold, "Reached by no policy: "+count(reach.Unreached, "object", "objects")+perhaps(reach.Unknown)))
	if a.verbose {
		for o := range a.Unreached() {
			t.line(1, "%s", oneLine(o.String()))
		}
		return
	}
	for _, g := range unreachedOf(a.Result) {
		t.line(1, "%10d of %d %s%s", g.unreached, g.objects, g.resource.GroupResource(), g.places())
	}
}

// perhaps says of how many objects it is not known whether a policy reaches them.
func perhaps(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; of %s it cannot be told", count(n, "other", "others"))
}

// missed is the objects of one resource that no policy reaches.
type missed struct {
	resource           schema.GroupVersionResource
	unreached, objects int
	spaces             map[string]int
}

// unreachedOf groups the objects that no policy reaches, the largest group first.
func unreachedOf(r *coverage.Result) []*missed {
	var all []*missed
	for o := range r.Unreached() {
		if len(all) == 0 || all[len(all)-1].resource != o.Resource {
			all = append(all, &missed{resource: o.Resource, objects: r.Population().Count(o.Resource), spaces: map[string]int{}})
		}
		g := all[len(all)-1]
		g.unreached++
		g.spaces[o.Namespace]++
	}
	slices.SortStableFunc(all, func(a, b *missed) int { return cmp.Compare(b.unreached, a.unreached) })
	return all
}

// mostPlaces bounds how many namespaces are named for one resource.
const mostPlaces = 4

// places names the namespaces that have the most of the objects.
func (g *missed) places() string {
	type place struct {
		name string
		n    int
	}
	var all []place
	for name, n := range g.spaces {
		if name != "" {
			all = append(all, place{name, n})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	var words []string
	for i, p := range all {
		if i == mostPlaces && len(all) > mostPlaces+1 {
			words = append(words, count(len(all)-i, "more namespace", "more namespaces"))
			break
		}
		words = append(words, fmt.Sprintf("%d in %s", p.n, oneLine(p.name)))
	}
	if len(words) == 0 {
		return ""
	}
	return ": " + strings.Join(words, ", ")
}

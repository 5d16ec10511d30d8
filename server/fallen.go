package server

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strconv"

	"github.com/ambit-k8s/ambit/scope"
	"github.com/ambit-k8s/ambit/scope/coverage"
	"github.com/ambit-k8s/ambit/views"
)

// fallen lists the objects that a layer of a policy left out, or that it reached.
func (s *server) fallen(w http.ResponseWriter, r *http.Request) error {
	l := s.layout(r, "", "/policies")
	src, c, err := s.reach(r)
	if err != nil {
		return err
	}
	list, err := newFallenList(r, c, src.Asked)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	if err := list.find(ctx); err != nil {
		return err
	}
	if f := format(r); f != "" {
		return exportFallen(r.Context(), w, list, f)
	}
	page := views.NewFallenPage(list.FallenAsk, list.all, list.page(ctx), list.total(), src.Gaps)
	l.Title = page.Title
	s.write(w, r, http.StatusOK, views.Fallen(l, page))
	return nil
}

// fallenList is a list of objects under one policy.
type fallenList struct {
	views.FallenAsk
	result *coverage.Result
	policy int
	// all are the groups of all objects that were asked for, and chosen those of the list;
	// there are none where nothing decided.
	all, chosen []coverage.Group
}

// newFallenList reads from an address which objects of which policy are wanted.
func newFallenList(r *http.Request, c *covered, asked views.Asked) (*fallenList, error) {
	g, err := group(r, c.Catalog)
	if err != nil {
		return nil, err
	}
	name := param(r, "entry")
	e := g.EntryNamed(name)
	if e == nil {
		return nil, missing(g.Kind + " " + g.Name + " has no entry called " + name + ".")
	}
	if c.result == nil {
		return nil, missing("Which objects exist has not been read here, so there is no list of them.")
	}
	query := r.URL.Query()
	l := &fallenList{result: c.result, policy: c.result.Index(e.ID), FallenAsk: views.FallenAsk{
		Entry: e, Layer: scope.LayerName(query.Get("layer")), Outcome: scope.Outcome(query.Get("outcome")),
		Group: query.Get("group"), Page: 1, Asked: asked, Contents: c.Population.Document != nil,
	}}
	if l.policy < 0 {
		return nil, missing("This policy does not take part in admission.")
	}
	if l.Layer != "" && l.Outcome == "" {
		l.Outcome = scope.Excluded
	}
	if !slices.Contains([]scope.Outcome{"", scope.Included, scope.Excluded, scope.Error, scope.Unknown}, l.Outcome) {
		return nil, badRequest("An outcome is included, excluded, error or unknown. The address says something else.")
	}
	if l.Layer != "" && !slices.ContainsFunc(l.Entry.Policy.Layers, func(layer scope.Layer) bool { return layer.Name() == l.Layer }) {
		return nil, missing("This policy has no layer called " + string(l.Layer) + ".")
	}
	if page, err := strconv.Atoi(query.Get("page")); err == nil && page > 1 {
		l.Page = page
	}
	return l, nil
}

// find puts the objects into groups by what decided about them.
func (l *fallenList) find(ctx context.Context) error {
	for _, layer := range l.Entry.Policy.Layers {
		if l.Outcome == "" || l.Outcome == scope.Included || l.Layer != "" && layer.Name() != l.Layer {
			continue
		}
		groups, err := l.result.Groups(ctx, l.policy, layer.Name())
		if err != nil {
			return err
		}
		for _, g := range groups {
			if g.Ending.Outcome == l.Outcome {
				l.all = append(l.all, g)
			}
		}
	}
	l.chosen = l.all
	if l.Group != "" {
		l.chosen = slices.DeleteFunc(slices.Clone(l.all), func(g coverage.Group) bool { return views.GroupKey(g) != l.Group })
	}
	return nil
}

// total is the number of objects in the list.
func (l *fallenList) total() int {
	c := l.result.Total(l.policy)
	switch l.Outcome {
	case "":
		return int(c.Applicable)
	case scope.Included:
		return int(c.Included)
	}
	n := 0
	for _, g := range l.chosen {
		n += g.Objects
	}
	return n
}

// reasoned is an object of the list with what decided about it.
type reasoned struct {
	coverage.Object
	scope.Ending
	// group is nil where nothing decided.
	group *coverage.Group
}

// objects goes through the list: group by group where there are groups.
func (l *fallenList) objects(ctx context.Context) iter.Seq[reasoned] {
	return func(yield func(reasoned) bool) {
		if l.Outcome == "" || l.Outcome == scope.Included {
			for o, e := range l.result.Objects(l.policy, coverage.Which{Outcome: l.Outcome}) {
				if !yield(reasoned{Object: o, Ending: e}) {
					return
				}
			}
			return
		}
		for i := range l.chosen {
			g := &l.chosen[i]
			for o := range g.Members(ctx) {
				if !yield(reasoned{o, g.Ending, g}) {
					return
				}
			}
		}
	}
}

// page is the part of the list that a page shows. Whole groups that come before it are
// passed over without looking into them.
func (l *fallenList) page(ctx context.Context) []views.FallenObject {
	skip := (l.Page - 1) * views.FallenPageSize
	rest := *l
	for len(rest.chosen) > 0 && skip >= rest.chosen[0].Objects {
		skip -= rest.chosen[0].Objects
		rest.chosen = rest.chosen[1:]
	}
	var shown []views.FallenObject
	words := map[*coverage.Group]views.Sentence{}
	for o := range rest.objects(ctx) {
		if skip > 0 {
			skip--
			continue
		}
		object := views.NewFallenObject(l.FallenAsk, o.Object, o.Ending)
		if g := o.group; g != nil {
			if words[g] == nil {
				words[g] = views.Because(l.Entry, *g)
			}
			object.Because = words[g]
		}
		if shown = append(shown, object); len(shown) == views.FallenPageSize {
			break
		}
	}
	return shown
}

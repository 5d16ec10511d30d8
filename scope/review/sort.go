package review

import (
	"cmp"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/ambit-k8s/ambit/scope/resource"
	"github.com/ambit-k8s/ambit/scope/rule"
)

// sort is one operation on one resource.
type sort struct {
	resource  resource.Resource
	operation admission.Operation
	// name is one that the rules go by; empty if they do not.
	name string
}

// sorts lists the sorts of request that there are, those that people know best first, and then
// those by which the rules of the two sides differ and that nothing is known of.
func (p *pair) sorts() []sort {
	var all []sort
	names := p.names()
	add := func(r resource.Resource) {
		for _, o := range r.Operations() {
			for _, name := range names {
				all = append(all, sort{r, o, name})
			}
		}
	}
	before, after := p.in.Before.Facts.Resources, p.in.After.Facts.Resources
	for _, r := range after.All() {
		if r.Served {
			add(r)
		}
	}
	for _, r := range before.All() {
		if now, known := after.Find(r.GroupVersionResource, r.Subresource); r.Served && !(known && now.Served) {
			add(r)
		}
	}
	slices.SortStableFunc(all, func(a, b sort) int { return cmp.Compare(a.rank(), b.rank()) })
	return append(all, p.unserved()...)
}

// rank is low for what people know.
func (s sort) rank() int {
	rank := 0
	for i, strange := range []bool{
		s.resource.GroupResource() != schema.GroupResource{Resource: "pods"}, s.operation != admission.Create,
		!s.resource.Namespaced, s.resource.Subresource != "",
	} {
		if strange {
			rank += 1 << i
		}
	}
	return rank
}

// names are those that rules of the two sides go by, and one that they do not.
func (p *pair) names() []string {
	all := []string{"witness"}
	for _, r := range append(rulesOf(p.before), rulesOf(p.after)...) {
		for _, one := range slices.Concat(r.Rules, r.Exclude) {
			for _, name := range one.ResourceNames {
				if !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		}
	}
	return all
}

// unserved lists requests for resources that are not known to be served, by which rules of the
// one side differ from those of the other. What their kind is called is a guess.
func (p *pair) unserved() []sort {
	var all []sort
	compare := func(some, others []*rule.Rules) {
		for _, s := range some {
			for _, o := range others {
				if covers, t := rule.CoversAll(o.Rules, s.Rules); !covers {
					all = append(all, p.guessed(t)...)
				}
			}
		}
	}
	was, is := rulesOf(p.before), rulesOf(p.after)
	compare(was, is)
	compare(is, was)
	if p.before == nil || p.after == nil {
		for _, r := range append(was, is...) {
			if _, t := rule.CoversAll([]v1.NamedRuleWithOperations{}, r.Rules); t.Operation != "" {
				all = append(all, p.guessed(t)...)
			}
		}
	}
	return all
}

// ofKubernetes reports whether a group is one of Kubernetes itself, of which all resources are
// known.
func ofKubernetes(group string) bool {
	return slices.ContainsFunc(resource.Builtin(), func(r resource.Resource) bool { return r.Group == group })
}

// guessed is a typical request, if all that it is for has a name that somebody wrote.
func (p *pair) guessed(t rule.Typical) []sort {
	gvr := t.Resource
	written := func(s string) bool { return !strings.ContainsAny(s, "\x00*") }
	if !written(gvr.Group) || !written(gvr.Version) || !written(gvr.Resource) || gvr.Resource == "" || gvr.Version == "" || t.Subresource != "" {
		return nil
	}
	if _, served := p.in.After.Facts.Resources.Find(gvr, ""); served || ofKubernetes(gvr.Group) {
		return nil
	}
	kind := strings.TrimSuffix(gvr.Resource, "s")
	r := resource.Resource{GroupVersionResource: gvr, Kind: gvr.GroupVersion().WithKind(strings.ToUpper(kind[:1]) + kind[1:]), Namespaced: t.Namespaced, Served: true}
	name := t.Name
	if !written(name) || name == "" {
		name = "witness"
	}
	return []sort{{r, t.Operation, name}}
}

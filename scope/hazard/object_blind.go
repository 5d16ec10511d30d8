package hazard

import (
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/admission"
)

var objectSelectorBlind = Rule{
	Name:    "object-selector-blind",
	Summary: "An objectSelector is asked about requests that do not carry the object.",
	Why:     "A request to connect (exec, attach, portforward, proxy) carries options without labels, which no selector matches, not even DoesNotExist. A Scale, Eviction, Binding or TokenRequest has labels of its own, usually none, and not those of its object.",
	Fix:     "Put the rule into a policy of its own without objectSelector, and tell the objects apart by namespace or name.",
	anyKind: true,
	find: func(r *run) {
		r.eachPart(func(v *view, p *part) {
			extent := p.object.Selector.Extent()
			if extent.Err() != nil || extent.Everything() || extent.Empty() {
				return
			}
			for i, rule := range p.rules.Rules {
				connects, others := r.named(v, p, rule)
				at := fmt.Sprintf("%s[%d]", p.rules.RulesField, i)
				if len(connects) > 0 {
					r.add(v, p.inBinding, Finding{Severity: Warning, Field: p.object.Selector.Field,
						Message: fmt.Sprintf("It never matches %s, which %s names: the options of a request to connect have no labels.", strings.Join(connects, ", "), at)})
				}
				if len(others) == 0 {
					continue
				}
				does := "never matches"
				if extent.Has(nil) {
					does = "does not narrow"
				}
				r.add(v, p.inBinding, Finding{Severity: Warning, Field: p.object.Selector.Field,
					Message: fmt.Sprintf("It %s %s, which %s names, unless a client writes labels there: such a request carries an object of another kind, without the labels of the object that it is about.", does, strings.Join(others, ", "), at)})
			}
		})
	},
}

// named lists the subresources that a rule names itself, and does not only take in with a
// wildcard, and whose requests do not carry the object: those to connect, and others.
func (r *run) named(v *view, p *part, rule v1.NamedRuleWithOperations) (connects, others []string) {
	for _, s := range r.world.all {
		if s.carriesItself() || !names(rule, s) || v.exempt(s) {
			continue
		}
		if _, ok := s.matchedBy(only(p.rules, rule), r.Facts, v.Phase); !ok {
			continue
		}
		list := &others
		if s.operation == admission.Connect {
			list = &connects
		}
		if name := s.GroupVersionResource.Resource + "/" + s.Subresource; !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	return connects, others
}

// names reports whether a rule speaks of a subresource by its name, or of its operation.
func names(rule v1.NamedRuleWithOperations, s *sort) bool {
	if s.operation == admission.Connect && slices.Contains(rule.Operations, v1.Connect) {
		return true
	}
	return slices.ContainsFunc(rule.Resources, func(entry string) bool { return strings.HasSuffix(entry, "/"+s.Subresource) })
}

// carriesItself reports whether a request carries the object that it is about, and not
// options or an object of another kind.
func (s *sort) carriesItself() bool {
	if s.Subresource == "" {
		return true
	}
	if s.Connects() {
		return false
	}
	parent, ok := s.parent()
	return !ok || parent.Kind == s.Kind
}
